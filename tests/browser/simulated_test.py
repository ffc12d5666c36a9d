#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# The report of a simulated cluster of 128 nodes in Chromium: it says so where people look first.
# usage: simulated_test.py CHANGEOVER FOLDER_FOR_SCREENSHOTS
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # not into the source folder
from browser import Browser

changeover, screenshots = sys.argv[1:3]

with tempfile.TemporaryDirectory(prefix="changeover-browser-") as folder:
    work = pathlib.Path(folder)

    def run(*arguments):
        subprocess.run([changeover, *arguments], cwd=work, check=True, capture_output=True)

    run("platform", "--nodes", "128", "--ppn", "2", "--topology", "fat-tree:2to1", "-o", "tree.xml", "--cluster", "tree.json")
    run("tune", "--cluster", "tree.json", "--run", "tree", "--plan", "quick", "--collectives", "bcast", "--budget", "20s")
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
    finally:
        browser.driver.quit()
print("The report of a simulated cluster says so on its first screen.")
