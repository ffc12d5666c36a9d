#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# The report in Chromium: what it loads, shows, hides, downloads and prints. Leaves screenshots to look at.
# usage: report_test.py CHANGEOVER MADE_UP_RUN FOLDER_FOR_SCREENSHOTS
# The distribution's own Python, because python3-selenium is installed for that one.
import base64
import csv
import io
import json
import math
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import unittest

from selenium.webdriver.common.by import By

sys.dont_write_bytecode = True  # not into the source folder
from browser import Browser, scroll_to

changeover, made_up_run, screenshots = sys.argv[1:4]
# in memory if possible: a large run waits for the disk after every group of cases
work = pathlib.Path(tempfile.mkdtemp(prefix="changeover-browser-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None))
paper_width = 700  # CSS pixels of a page of A4 inside of its margins, about

def report_of(kind):
    run = work / kind
    subprocess.run([made_up_run, kind, run], check=True)
    start = time.monotonic()
    subprocess.run([changeover, "report", "--run", run, "-o", work / f"{kind}.html"], check=True, capture_output=True)
    return work / f"{kind}.html", time.monotonic() - start


# Medians in microseconds by (network, layout, collective, bytes, algorithm), from the raw samples
def medians(run):
    samples = {}
    for line in (run / "samples.jsonl").read_text().splitlines():
        record = json.loads(line)
        if record["type"] == "case" and record["stage"] == "search" and record["status"] == "measured":
            key = (record["network"], f"{record['nodes']}x{record['ppn']}", record["collective"], record["bytes"], record["algorithm"])
            samples.setdefault(key, []).extend(record["samples_us"])
    return {key: statistics.median(values) for key, values in samples.items()}


# The first time in a row of the tip, in microseconds
def shown_time(row):
    number, unit = re.search(r" ([\d.e+]+) (us|ms|s) ", row).groups()
    return float(number) * {"us": 1, "ms": 1e3, "s": 1e6}[unit]


class ReportTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.lab, _ = report_of("lab")
        cls.medians = medians(work / "lab")
        cls.browser = Browser(work / "downloads", screenshots)

    @classmethod
    def tearDownClass(cls):
        cls.browser.driver.quit()
        shutil.rmtree(work)

    def curves(self, network, layout, collective):
        figures = [f for f in self.browser.find_all("figure") if
                   f.find_elements(By.CSS_SELECTOR, "svg[data-kind=curves]") and
                   f.find_element(By.TAG_NAME, "figcaption").text == f"{collective} on {network} {layout}"]
        self.assertEqual(len(figures), 1)
        return figures[0].find_element(By.TAG_NAME, "svg")

    def test_loads_without_errors_and_without_requests(self):
        self.browser.open(self.lab)
        self.assertEqual(self.browser.driver.get_log("browser"), [])
        loaded = [url for url in self.browser.requests() if not url.startswith("data:")]
        self.assertEqual(loaded, [self.lab.as_uri()])
        self.browser.screenshot("light-answer")
        self.browser.screenshot("light-gains", "#gains")
        self.browser.screenshot("light-curves", "#curves")
        self.browser.screenshot("light-networks", "#networks")
        self.browser.screenshot("light-distributions", "#distributions")
        self.browser.screenshot("light-model", "#model")
        self.browser.screenshot("light-how", "#how")
        self.browser.screenshot("light-exchanges", "#exchanges")

    def test_messages_of_each_network(self):
        self.browser.open(self.lab)
        figures = {f.find_element(By.TAG_NAME, "figcaption").text: f for f in self.browser.find_all("#exchanges figure")}
        self.assertEqual(set(figures), {f"{name} between on 8x2" for name in ["ping_pong", "bandwidth", "availability"]})
        for figure in figures.values():
            lines = {line.get_attribute("data-line") for line in figure.find_elements(By.CSS_SELECTOR, "[data-line]")}
            self.assertEqual(len(lines), 2)  # one for each network
            self.assertTrue(any(line.startswith("fast ethernet <b>") for line in lines), lines)
        rows = json.loads(self.browser.find("#data").get_attribute("textContent"))["exchanges"]
        latency = rows["columns"].index("half_us") - 6  # the first six are the key
        group = next(g for g in rows["groups"] if g["key"][0] == "gigabit" and g["key"][4] == "ping_pong between")
        self.assertAlmostEqual(group["rows"][0][latency], 25.01, places=2)  # of one byte

    def test_finish_of_each_rank(self):
        self.browser.open(self.lab)
        figures = self.browser.find_all("svg[data-kind=finishes]")
        self.assertGreaterEqual(len(figures), 2)  # at least of the best and of the least proof
        labels = {text.text for text in figures[0].find_elements(By.TAG_NAME, "text")}
        self.assertIn("0", labels)
        self.assertEqual(len(figures[0].find_elements(By.CSS_SELECTOR, "[data-line]")), 2)

    def test_policy_stops_scripts_and_loads(self):
        self.browser.open(self.lab)
        self.browser.script("const s = document.createElement('script'); s.textContent = 'window.intruder = 1';"
                            "document.body.append(s);"
                            "const i = document.createElement('img'); i.src = 'file:///etc/hostname'; document.body.append(i)")
        self.assertIsNone(self.browser.script("return window.intruder ?? null"))
        complaints = " ".join(entry["message"] for entry in self.browser.driver.get_log("browser"))
        self.assertIn("script-src", complaints)
        self.assertIn("img-src", complaints)

    def test_hostile_names_show_as_text(self):
        self.browser.open(self.lab)
        self.assertEqual(self.browser.find("h1").text, "made up at <script>alert(1)</script>")
        self.assertIn("<img src=x onerror=alert(2)>", self.browser.find(".problems").text)
        self.assertEqual(self.browser.find_all("main script, main img, main b i, figure b"), [])
        self.assertEqual(self.browser.script("return document.title"), "changeover: made up at <script>alert(1)</script>")

    def test_answer_is_on_the_first_screen(self):
        self.browser.open(self.lab)
        self.assertRegex(self.browser.find(".headline b").text, r"^\+\d+%$")
        command = self.browser.find("#answer pre")
        self.assertIn("changeover emit --run", command.text)
        self.assertLess(self.browser.script("return arguments[0].getBoundingClientRect().bottom", command), 900)
        self.assertRegex(self.browser.find(".headline").text, r"faster where a rule applies, at \d+ of \d+ measured sizes")
        self.assertRegex(self.browser.find(".layouts-explained").text, r"^8x2 means 8 nodes with 2 ranks on each: 16 in all\.$")
        self.assertRegex(self.browser.find(".verdict").text, r"^gigabit is faster than fast ethernet|^fast ethernet .* is faster than gigabit")
        self.assertIn("Known less well", self.browser.find(".less-well").text)

    def test_hover_shows_the_figure_that_was_measured(self):
        self.browser.open(self.lab)
        checked = 0
        for network, layout, collective in [("gigabit", "8x2", "bcast"), ("fast ethernet <b>\"&'", "8x1", "alltoall")]:
            svg = self.curves(network, layout, collective)
            from_x, to_x, low, high = map(float, svg.get_attribute("data-x").split())
            from_y, to_y, low_y, high_y = map(float, svg.get_attribute("data-y").split())
            for bytes_ in [8, 4096, 1048576]:
                for algorithm in ["default", "binomial", "scattered"]:
                    median = self.medians.get((network, layout, collective, bytes_, algorithm))
                    if median is None:
                        continue
                    x = from_x + (to_x - from_x) * (math.log2(bytes_) - low) / (high - low)
                    y = from_y + (to_y - from_y) * (math.log2(median / 1e6) - low_y) / (high_y - low_y)
                    self.browser.move_in(svg, x, y)
                    tip = self.browser.find("#tip")
                    self.assertTrue(tip.is_displayed())
                    self.assertTrue(tip.text.startswith(f"{bytes_} bytes"), tip.text)
                    row = [line for line in tip.text.splitlines() if line.startswith(algorithm + " ")]
                    self.assertEqual(len(row), 1, tip.text)
                    self.assertLess(abs(shown_time(row[0]) / median - 1), 0.006, "three digits are shown")
                    checked += 1
        self.assertGreater(checked, 8)
        self.browser.driver.save_screenshot(str(pathlib.Path(screenshots) / "light-hover.png"))
        self.browser.command("Input.dispatchMouseEvent", type="mouseMoved", x=2, y=2)
        self.assertFalse(self.browser.find("#tip").is_displayed())

    def test_hover_over_gains(self):
        self.browser.open(self.lab)
        tables = json.loads(self.browser.find("#data").get_attribute("textContent"))
        svg = self.browser.find("#gains svg[data-kind=gains]")
        row = svg.find_element(By.CSS_SELECTOR, "g[data-cell]")
        group = tables["choices"]["groups"][int(row.get_attribute("data-cell"))]
        from_x, to_x, low, high = map(float, svg.get_attribute("data-x").split())
        size, algorithm, by_rule, factor, _ = group["rows"][0]
        self.browser.move_in(svg, from_x + (to_x - from_x) * (math.log2(size) - low) / (high - low), 10)
        tip = self.browser.find("#tip").text
        self.assertIn(f"{size} bytes on {group['key'][0]}", tip)
        self.assertIn(algorithm, tip)
        self.assertIn(f"default / tuned {factor:g}", tip)

    def test_maps_of_layouts(self):
        page, _ = report_of("layouts")
        for scheme in ["light", "dark"]:
            self.browser.open(page, scheme=scheme)
            self.browser.screenshot(f"{scheme}-layouts", "#layouts")
        self.assertEqual(self.browser.driver.get_log("browser"), [])
        self.assertEqual(self.browser.bad_labels("svg[data-kind=layouts]"), [])
        self.assertEqual(self.browser.find_all("svg[data-kind=layouts] title"), [], "no second tooltip")
        svg = self.browser.find("#layouts-allgather-gigabit svg")
        grid = json.loads(svg.get_attribute("data-grid"))
        panel = grid["bytes"].index(2048)
        for left in grid["lefts"]:  # algorithm, gain
            for nodes, ppn in [(8, 4), (5, 3)]:
                self.browser.move_in(svg, left + (grid["nodes"].index(str(nodes)) + .5) * grid["width"],
                                     grid["bottoms"][panel] - (grid["ppn"].index(str(ppn)) + .5) * grid["height"])
                tip = self.browser.find("#tip").text
                self.assertTrue(tip.startswith(f"{nodes} x {ppn}, 2048 bytes\nrule: ring"), tip)
                self.assertIn("basis: measured" if nodes == 8 else "basis: predicted: between", tip)
                self.assertIn("expected gain: +", tip)
                self.assertRegex(tip, r"proven gain: \+\d+% \(")
        self.browser.move_in(svg, 2, 2)
        self.assertFalse(self.browser.find("#tip").is_displayed())

    def test_toggling_a_line(self):
        self.browser.open(self.lab)
        scope = self.browser.find("details[data-scope]")
        button = scope.find_element(By.CSS_SELECTOR, "button[data-toggle=ring]")
        lines = scope.find_elements(By.CSS_SELECTOR, "[data-line=ring]")
        others = scope.find_elements(By.CSS_SELECTOR, "[data-line=default]")
        self.assertEqual(len(lines), 4)
        self.assertTrue(all(line.is_displayed() for line in lines))
        self.browser.script(scroll_to, button)
        button.click()
        self.assertEqual(button.get_attribute("aria-pressed"), "false")
        self.assertFalse(any(line.is_displayed() for line in lines))
        self.assertTrue(all(line.is_displayed() for line in others))
        button.click()
        self.assertEqual(button.get_attribute("aria-pressed"), "true")
        self.assertTrue(all(line.is_displayed() for line in lines))

    def download(self, table, kind):
        button = self.browser.find(f"button[data-table='{table}'][data-as={kind}]")
        self.browser.script(scroll_to, button)
        button.click()
        file = work / "downloads" / f"{table}.{kind}"
        for _ in range(100):
            if file.exists() and file.stat().st_size > 0:  # it is empty before the browser puts the text there
                break
            time.sleep(0.1)
        text = file.read_text() if kind == "json" else file.read_bytes().decode()  # with its line ends
        file.unlink()
        return text

    def test_downloads_are_what_was_measured(self):
        self.browser.open(self.lab)
        rows = list(csv.DictReader(self.download("times", "csv").splitlines()))
        self.assertEqual(len(rows), len(self.medians))
        for row in rows:
            key = (row["network"], f"{row['nodes']}x{row['ppn']}", row["collective"], int(row["bytes"]), row["algorithm"])
            self.assertLess(abs(float(row["median_us"]) / self.medians[key] - 1), 1e-3)
            self.assertLessEqual(float(row["low_us"]), float(row["median_us"]))
            self.assertEqual(row["samples"], "40")
        objects = json.loads(self.download("times", "json"))
        self.assertEqual(len(objects), len(rows))
        self.assertEqual({name: "" if value is None else str(value) for name, value in objects[7].items()}, rows[7])
        config = json.loads((work / "lab" / "config.json").read_text())
        rules = list(csv.DictReader(self.download("rules", "csv").splitlines()))
        self.assertEqual([(r["network"], r["algorithm"], r["from_bytes"]) for r in rules],
                         [(r["network"], r["algorithm"], str(r["from_bytes"])) for r in config["rules"]])

    def test_downloads_have_no_formulas(self):
        names = ["=cmd|'/C calc'!A0", "@SUM(1,2)", "+1+1", "-1-1", "\t=1", "\r=1", "-1.5", "+2e3", "plain"]
        page = self.lab.read_text()
        start, data, end = re.fullmatch(r'(.*<script type="application/json" id="data">)(.*?)(</script>.*)', page, re.S).groups()
        tables = json.loads(data)
        rules = tables["rules"]
        rules["groups"] = [{"key": [], "rows": [[name] + [-1.5] * (len(rules["columns"]) - 1) for name in names]}]
        hostile = work / "hostile.html"
        hostile.write_text(start + json.dumps(tables).replace("<", "\\u003c") + end)
        self.browser.open(hostile)
        rows = list(csv.reader(io.StringIO(self.download("rules", "csv"), newline="")))[1:]
        self.assertEqual([row[0] for row in rows], ["'" + name for name in names[:6]] + names[6:])
        self.assertEqual({row[1] for row in rows}, {"-1.5"}, "numbers stay numbers")
        objects = json.loads(self.download("rules", "json"))
        self.assertEqual([list(row.values())[0] for row in objects], names)

    def test_every_table_can_be_downloaded(self):
        self.browser.open(self.lab)
        tables = json.loads(self.browser.find("#data").get_attribute("textContent"))
        shown = {b.get_attribute("data-table") for b in self.browser.find_all("button[data-table]")}
        filled = {name for name, table in tables.items() if any(group["rows"] for group in table["groups"])}
        self.assertEqual(shown, filled)

    def test_print_fits_on_paper(self):
        self.browser.open(self.lab, width=paper_width)
        self.browser.command("Emulation.setEmulatedMedia", media="print",
                             features=[{"name": "prefers-color-scheme", "value": "dark"}])
        self.assertLessEqual(self.browser.overflow(), 0)
        cut = self.browser.script(
            "return [...document.querySelectorAll('svg, table, pre')].filter(e => e.getBoundingClientRect().right > innerWidth + 1)"
            ".map(e => e.tagName + ' ' + e.textContent.slice(0, 60))")
        self.assertEqual(cut, [])
        self.assertEqual(self.browser.script("return getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)",
                         "paper is white, whatever the screen is")
        self.browser.screenshot("print")
        self.browser.screenshot("print-curves", "#curves")
        pdf = base64.b64decode(self.browser.command("Page.printToPDF", preferCSSPageSize=False, paperWidth=8.27, paperHeight=11.69)["data"])
        (pathlib.Path(screenshots) / "report.pdf").write_bytes(pdf)
        self.assertTrue(pdf.startswith(b"%PDF"))

    def test_phone(self):
        self.browser.open(self.lab, width=375, height=800)
        self.assertLessEqual(self.browser.overflow(), 0)
        self.browser.screenshot("phone-answer")
        self.browser.screenshot("phone-curves", "#curves")
        self.browser.screenshot("phone-how", "#how")

    def test_dark(self):
        self.browser.open(self.lab, scheme="dark")

        def brightness(colour):
            return sum(map(float, re.findall(r"[\d.]+", colour)[:3]))

        style = "return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]"
        self.assertLess(brightness(self.browser.script(style, "body", "backgroundColor")), 150)
        self.assertGreater(brightness(self.browser.script(style, "body", "color")), 500)
        self.assertGreater(brightness(self.browser.script(style, "figure text.ink", "fill")), 500)
        self.browser.screenshot("dark-answer")
        self.browser.screenshot("dark-gains", "#gains")
        self.browser.screenshot("dark-curves", "#curves")
        self.browser.screenshot("dark-model", "#model")

    def test_colours_are_the_same_in_all_figures(self):
        self.browser.open(self.lab)
        colours = self.browser.script(
            "const all = {}; for (const g of document.querySelectorAll('[data-line]')) for (const p of g.querySelectorAll('.line, .dots'))"
            "(all[g.dataset.line] ??= new Set()).add(getComputedStyle(p).stroke);"
            "return Object.fromEntries(Object.entries(all).map(([name, set]) => [name, [...set]]))")
        self.assertGreater(len(colours), 5)
        for name, of_algorithm in colours.items():
            self.assertEqual(len(of_algorithm), 1, name)

    def test_run_with_missing_parts_says_so(self):
        page, _ = report_of("unverified")
        self.browser.open(page)
        self.assertEqual(self.browser.driver.get_log("browser"), [])
        problems = self.browser.find(".problems").text
        self.assertIn("not verified", problems)
        self.assertIn("changeover verify --run", problems)
        self.assertIn("Nothing was measured on broken 8x1", problems)
        self.assertIn("NOT VERIFIED", self.browser.find(".headline").text)
        self.browser.screenshot("unverified")

    def test_large_run_is_quick_and_small(self):
        page, seconds = report_of("big")
        print(f"large run: written in {seconds:.2f} s, {page.stat().st_size / 1e6:.2f} MB", file=sys.stderr)
        self.assertLess(page.stat().st_size, 3e6)
        self.browser.open(page)
        self.assertEqual(self.browser.driver.get_log("browser"), [])
        loaded = self.browser.script("const t = performance.getEntriesByType('navigation')[0]; return t.loadEventEnd - t.startTime")
        print(f"large run: loaded in {loaded / 1e3:.2f} s", file=sys.stderr)
        self.assertEqual(len(self.browser.find_all("svg[data-kind=curves]")), 200)
        self.browser.screenshot("big")
        self.browser.screenshot("big-curves", "#curves")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
