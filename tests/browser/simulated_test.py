#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# The report of a simulated cluster of 128 nodes in Chromium: it says so where people look first.
# usage: simulated_test.py CHANGEOVER MPIEXEC BENCHMARK FOLDER_FOR_SCREENSHOTS
import os
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # not into the source folder
from browser import Browser

changeover, mpiexec, benchmark, screenshots = sys.argv[1:5]

with tempfile.TemporaryDirectory(prefix="changeover-browser-") as folder:
    work = pathlib.Path(folder)

    def run(*arguments):
        subprocess.run([changeover, *arguments], cwd=work, check=True, capture_output=True)

    run("platform", "--nodes", "128", "--ppn", "2", "--topology", "fat-tree:2to1", "-o", "tree.xml", "--cluster", "tree.json")
    run("tune", "--cluster", "tree.json", "--run", "tree", "--plan", "quick", "--collectives", "bcast", "--budget", "60s")
    browser = Browser(work, screenshots)
    try:
        browser.open(work / "tree" / "report.html")
        problems = browser.driver.get_log("browser")
        assert problems == [], problems
        note = "SIMULATED: the 128 nodes do not exist, and no message was sent."
        assert note in browser.find("body").text, "the page does not say that it is simulated"
        top = browser.script(
            "const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);"
            "while (walker.nextNode()) { if (walker.currentNode.data.includes('SIMULATED')) {"
            "const range = document.createRange(); range.selectNode(walker.currentNode);"
            "return range.getBoundingClientRect().top; } } return 1e9;")
        assert top < 900, f"only {top} pixels below the top"
        assert len(browser.find_all("svg[data-kind=curves]")) > 0, "no curves"
        browser.screenshot("simulated")

        # both engines beside what was measured, and which platform to buy
        run("report", "--run", "tree", "--engine", "simgrid", "-o", "both.html")
        browser.open(work / "both.html")
        section = browser.find("#simulation").text
        assert "error: model" in section and "simulated: predicted against measured" in section, section
        assert len(browser.find_all("#simulation svg[data-kind=model]")) == 1
        subprocess.run([mpiexec, "-launcher", "fork", "-iface", "lo", "-hosts", "a:2,b:2", "-n", "4", benchmark, "bcast", "--sizes",
                        "1Ki,64Ki", "--algorithms", "default", "--min-repetitions", "3", "--max-repetitions", "3"], check=True,
                       capture_output=True, env={**os.environ, "MPIR_CVAR_COLL_EVENTS_FILE": str(work / "t")})
        run("platform", "--nodes", "8", "--bandwidth", "1gbit", "-o", "star.xml")
        run("what-if", str(work / "t"), "--platform", "tree.xml,star.xml", "--layout", "8x1,8x2", "--html", "what-if.html")
        browser.open(work / "what-if.html")
        problems = browser.driver.get_log("browser")
        assert problems == [], problems
        assert browser.overflow() == 0, "the page is wider than the window"
        assert "SIMULATED: no message was sent." in browser.find("header").text
        assert len(browser.find_all("svg[data-kind=totals] rect")) >= 8, "a bar for each platform and layout, twice"
        assert "is the fastest" in browser.find("#totals").text
        assert "Ranks on a node" in browser.find("#layouts").text
        browser.screenshot("what-if")
    finally:
        browser.driver.quit()
print("The report of a simulated cluster says so on its first screen; so does the page of what-if.")
