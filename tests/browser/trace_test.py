#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# What is inside of calls, in Chromium: the page of a trace, the report of a run with traces, and the export in a real
# viewer of that format (Catapult's, as the Go tools bring it). Leaves screenshots to look at.
# usage: trace_test.py CHANGEOVER MADE_UP_RUN MADE_UP_TRACE MPIEXEC BENCHMARK FOLDER_FOR_SCREENSHOTS
import functools
import glob
import http.server
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

sys.dont_write_bytecode = True  # not into the source folder
from browser import Browser

changeover, made_up_run, made_up_trace, mpiexec, benchmark, screenshots = sys.argv[1:]
work = pathlib.Path(tempfile.mkdtemp(prefix="changeover-trace-"))
recorded = work / "recorded"
names = work / "<b>&'"  # would be markup if it were not escaped
made_up, other = names / "t<i>", names / "half"
viewer_files = sorted(glob.glob("/usr/share/go-*/src/cmd/trace/static")) + sorted(
    glob.glob("/usr/share/go-*/src/internal/trace/traceviewer/static"))

viewer_page = """<html><head><script src="static/webcomponents.min.js"></script>
<link rel="import" href="static/trace_viewer_full.html">
<style>html, body, #viewer { margin: 0; width: 100%; height: 100%; overflow: hidden }</style></head><body></body></html>"""

# Imports a trace and shows it; gives back what the viewer's own model has
import_trace = """
const [file, done] = arguments;
const run = async () => {
  const viewer = document.createElement('tr-ui-timeline-view');
  viewer.track_view_container = document.createElement('track-view-container');
  viewer.track_view_container.id = 'track_view_container';
  Polymer.dom(viewer).appendChild(viewer.track_view_container);
  viewer.id = 'viewer';
  Polymer.dom(document.body).appendChild(viewer);
  const model = new tr.Model();
  await new tr.importer.Import(model, new tr.importer.ImportOptions()).importTracesWithProgressDialog(
      [await (await fetch(file)).text()]);
  viewer.model = model;
  const threads = model.getAllThreads();
  const slices = threads.flatMap(t => t.sliceGroup.slices);
  return {
    warnings: model.importWarnings.map(w => w.message), arrows: model.flowEvents.length, names: threads.map(t => t.name),
    unbound: model.flowEvents.filter(f => !f.startSlice || !f.endSlice).length,
    backwards: model.flowEvents.filter(f => f.duration < 0).length,
    slices: slices.length, unfinished: slices.filter(s => s.didNotFinish).length,
    calls: slices.filter(s => s.category === 'call').length, messages: slices.filter(s => s.category === 'message').length,
    nodes: model.getAllProcesses().map(p => p.pid),
  };
};
run().then(done, error => done({warnings: [String(error)]}));
"""


def run(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options)


def setUpModule():
    names.mkdir()
    run(made_up_trace, made_up, other)
    run(mpiexec, "-launcher", "fork", "-iface", "lo", "-hosts", "a:2,b:2", "-genv", "MPIR_CVAR_COLL_EVENTS_FILE", recorded,
        "-genv", "MPIR_CVAR_COLL_EVENTS_COLLECTIVES", "allgather", "-n", "4", benchmark, "allgather", "--algorithms",
        "ring,recursive_doubling", "--sizes", "4Ki,64Ki", "--max-repetitions", "20")
    run(made_up_run, "lab", work / "run")


def tearDownModule():
    shutil.rmtree(work)


class PagesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.pages = {name: work / f"{name}.html" for name in ["made-up", "recorded", "report", "report-two"]}
        run(changeover, "trace", made_up, "--html", cls.pages["made-up"])
        run(changeover, "trace", recorded, "--html", cls.pages["recorded"])
        cls.report("report", "--trace", made_up)
        cls.report("report-two", "--trace", made_up, "--trace", other, "--network", "gigabit")
        cls.browser = Browser(work, screenshots)

    @classmethod
    def tearDownClass(cls):
        cls.browser.driver.quit()

    @classmethod
    def report(cls, name, *options):
        run(changeover, "report", "--run", work / "run", "-o", cls.pages[name], *options)

    def part(self, name):
        return "#inside" if name.startswith("report") else "main"

    def test_open_without_errors_and_without_requests(self):
        for name, page in self.pages.items():
            with self.subTest(name):
                self.browser.open(page)
                self.assertEqual(self.browser.driver.get_log("browser"), [])
                self.assertEqual([url for url in self.browser.requests() if not url.startswith("data:")], [page.as_uri()])
                self.assertEqual(self.browser.find_all("main script, body i"), [])
        self.browser.open(self.pages["made-up"])
        self.assertEqual(self.browser.find("h1").text, str(made_up))

    def test_layout(self):
        for name, page in self.pages.items():
            for width, scheme in [(1280, "light"), (1280, "dark"), (390, "light")]:
                with self.subTest(f"{name} {width} {scheme}"):
                    self.browser.open(page, width=width, scheme=scheme)
                    part = self.part(name)
                    self.assertLessEqual(self.browser.overflow(), 0)
                    self.assertEqual(self.browser.bad_labels(f"{part} figure > div > svg"), [])
                    sizes = self.browser.script(
                        "return [...document.querySelectorAll(arguments[0])].map(s => [s.getBoundingClientRect().width, s.getBoundingClientRect().height])",
                        f"{part} figure > div > svg")
                    self.assertGreaterEqual(len(sizes), 4)
                    self.assertTrue(all(w > 300 and h > 100 for w, h in sizes), sizes)
                    self.browser.screenshot(f"trace-{name}-{width}-{scheme}", part, height=6000)

    def test_parts_and_what_was_left_out(self):
        self.browser.open(self.pages["report"])
        self.assertIn("inside the calls", self.browser.find("nav").text)
        section = self.browser.find("#inside").text
        self.assertIn("rank 5 (made-up) was last in", section)
        self.assertIn("the 4 of 43 kinds of calls with the most time", section)
        self.assertIn("are drawn.", section)  # of the messages of alltoall
        self.assertIn("the run has several networks", section)
        self.assertIn("recursive_doubling", self.browser.find("#inside-compared-1 .key").text)
        self.assertIn("through the busiest interface", section)
        size = self.pages["report"].stat().st_size
        run(changeover, "report", "--run", work / "run", "-o", work / "plain.html")
        added = size - (work / "plain.html").stat().st_size
        self.assertEqual(self.browser.find_all("#inside pre"), [])
        print(f"a trace adds {added / 1e3:.0f} kB to a report", file=sys.stderr)
        self.assertLess(added, 6e5)

    def test_two_traces_and_the_run(self):
        self.browser.open(self.pages["report-two"])
        section = self.browser.find("#inside").text
        for text in ["Expected gain of the rules of the run", "Messages against the model of gigabit", "t<i> ring", "half ring"]:
            self.assertIn(text, section)

    def test_hover(self):
        for name in ["recorded", "report"]:
            self.browser.open(self.pages[name])
            svg = self.browser.find("svg[data-kind=messages]")
            from_x, to_x, longest = map(float, svg.get_attribute("data-x").split())
            top, lane = map(float, svg.get_attribute("data-y").split())
            ranks = json.loads(svg.get_attribute("data-ranks"))
            # the last to arrive: nothing is upon its head
            message = max(json.loads(svg.get_attribute("data-messages")), key=lambda m: m[5])
            source, destination, _, _, _, received, _ = message
            self.browser.move_in(svg, from_x + (to_x - from_x) * received / longest, top + lane * (destination + .5))
            tip = self.browser.find("#tip")
            self.assertTrue(tip.is_displayed())
            self.assertIn(f"to rank {ranks[destination]}", tip.text)
            self.assertEqual(min(m[3] for m in json.loads(svg.get_attribute("data-messages"))), 1)  # stages
            svg = self.browser.find("svg[data-kind=timemap]")
            line = json.loads(svg.get_attribute("data-lines"))[0]
            from_x, to_x, longest = map(float, svg.get_attribute("data-x").split())
            bottom = float(svg.get_attribute("data-y").split()[1])
            self.browser.move_in(svg, from_x + (to_x - from_x) * line["ends"][-1] / longest, bottom)
            self.assertIn("exit", tip.text)
            self.assertEqual(self.browser.driver.get_log("browser"), [])
            self.browser.driver.save_screenshot(str(pathlib.Path(screenshots) / f"trace-hover-{name}.png"))

    def test_print_fits_on_paper(self):
        self.browser.open(self.pages["report"], width=700)
        self.browser.command("Emulation.setEmulatedMedia", media="print")
        cut = self.browser.script(
            "return [...document.querySelectorAll('#inside svg, #inside table')].filter(e => e.getBoundingClientRect().right > innerWidth + 1)"
            ".map(e => e.tagName + ' ' + e.textContent.slice(0, 60))")
        self.assertEqual(cut, [])
        self.browser.screenshot("trace-print", "#inside", height=4000)

    def test_what_cannot_be_shown_is_said_before_anything_is_written(self):
        broken = work / "broken"
        (work / "broken.0.events").write_bytes(b"x" * 600)
        for prefix, message in [(work / "none", "none"), (broken, "broken.0.events")]:
            result = subprocess.run([changeover, "report", "--run", work / "run", "--trace", prefix, "-o", work / "not.html"],
                                    capture_output=True, text=True)
            self.assertNotEqual(result.returncode, 0)
            self.assertIn(message, result.stderr)
            self.assertFalse((work / "not.html").exists())


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def translate_path(self, path):
        return str(pathlib.Path(viewer_files[-1]) / pathlib.Path(path).name) if path.startswith("/static/") else super().translate_path(path)


class ExportTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.messages = {}
        for name, prefix in [("made-up", made_up), ("recorded", recorded)]:
            run(changeover, "trace", prefix, "--chrome", work / f"{name}.json", "--format", "json", "-o", work / "analysis.json")
            trace = json.loads((work / "analysis.json").read_text())["trace"]
            cls.messages[name] = trace["messages"]

    def test_rules_of_the_format(self):
        for name in self.messages:
            events = json.loads((work / f"{name}.json").read_text())["traceEvents"]
            tracks, named, starts, ends = {}, set(), {}, {}
            for event in events:
                self.assertLessEqual({"ph", "pid", "tid", "name"}, set(event))
                track = (event["pid"], event["tid"])
                if event["ph"] == "M":
                    self.assertIn("sort_index" if event["name"] == "thread_sort_index" else "name", event["args"])
                    named.add((event["name"], event["pid"], event["tid"] if event["name"].startswith("thread") else None))
                elif event["ph"] == "X":
                    self.assertGreaterEqual(event["ts"], 0)
                    self.assertGreaterEqual(event["dur"], 0)
                    tracks.setdefault(track, []).append(event)
                else:
                    self.assertIn(event["ph"], "sf")
                    of = starts if event["ph"] == "s" else ends
                    self.assertNotIn(event["id"], of)
                    of[event["id"]] = event
            self.assertEqual(starts.keys(), ends.keys())
            self.assertEqual(len(starts), self.messages[name])
            for (pid, tid), slices in tracks.items():
                self.assertIn(("thread_name", pid, tid), named)
                self.assertIn(("process_name", pid, None), named)
                open_until = []
                for one in sorted(slices, key=lambda s: (s["ts"], -s["dur"])):
                    while open_until and open_until[-1] <= one["ts"] + 1e-6:
                        open_until.pop()
                    end = one["ts"] + one["dur"]
                    self.assertTrue(not open_until or end <= open_until[-1] + 1e-6, f"{name}: {one} is not inside of what is around it")
                    open_until.append(end)

    @unittest.skipUnless(viewer_files, "no viewer; scripts/setup installs golang-src, which has it")
    def test_in_a_viewer(self):
        (work / "viewer.html").write_text(viewer_page)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=work))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser = Browser(work, screenshots)
        try:
            browser.driver.set_script_timeout(120)
            for name, messages in self.messages.items():
                browser.driver.get(f"http://127.0.0.1:{server.server_port}/viewer.html")
                browser.driver.execute_async_script(
                    "const done = arguments[0]; const wait = () => window.tr && window.Polymer ? done() : setTimeout(wait, 50); wait()")
                shown = browser.driver.execute_async_script(import_trace, f"{name}.json")
                events = json.loads((work / f"{name}.json").read_text())["traceEvents"]
                print(f"{name} in the viewer: {shown}"[:400], file=sys.stderr)
                self.assertEqual(shown["warnings"], [])
                self.assertEqual(shown["slices"], sum(e["ph"] == "X" for e in events))
                self.assertEqual((shown["arrows"], shown["unbound"]), (messages, 0))
                self.assertEqual((shown["messages"], shown["unfinished"]), (2 * messages, 0))
                if name == "made-up":  # its clocks are exact
                    self.assertEqual(shown["backwards"], 0)
                browser.driver.save_screenshot(str(pathlib.Path(screenshots) / f"viewer-{name}.png"))
        finally:
            browser.driver.quit()
            server.shutdown()
            server.server_close()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
