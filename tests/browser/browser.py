# SPDX-License-Identifier: MIT
# Chromium, driven by Debian's ChromeDriver: pages with a given width and colour scheme, what they load, pictures.
import base64
import json
import pathlib
import shutil

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

# hover needs a real position: the middle of a figure may be behind another part of the page
scroll_to = "arguments[0].scrollIntoView({block: 'center'})"


class Browser:
    def __init__(self, downloads, screenshots):
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage"]:
            options.add_argument(argument)
        options.add_experimental_option("prefs", {"download.default_directory": str(downloads)})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
        self.screenshots = pathlib.Path(screenshots)
        self.screenshots.mkdir(parents=True, exist_ok=True)

    def open(self, page, width=1280, height=900, scheme="light"):
        self.command("Emulation.setEmulatedMedia", media="screen",
                     features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500)
        self.driver.get_log("performance")  # what was before does not count
        self.driver.get_log("browser")
        self.driver.get(page.as_uri())

    def command(self, name, **parameters):
        return self.driver.execute_cdp_cmd(name, parameters)

    def script(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def find_all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def requests(self):
        messages = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        return [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]

    def overflow(self):
        return self.script("return document.documentElement.scrollWidth - document.documentElement.clientWidth")

    # moves the mouse to a point of a figure, in the figure's own units
    def move_in(self, svg, x, y):
        self.script(scroll_to, svg)
        # scrolling hides the tip, one frame later
        self.driver.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
        at = self.script("const p = new DOMPoint(arguments[1], arguments[2]).matrixTransform(arguments[0].getScreenCTM());"
                         "return [p.x, p.y]", svg, x, y)
        self.command("Input.dispatchMouseEvent", type="mouseMoved", x=at[0], y=at[1])

    def screenshot(self, name, from_selector=None, height=1600):
        top = self.script("return arguments[0] ? document.querySelector(arguments[0]).getBoundingClientRect().top + scrollY : 0",
                          from_selector)
        width, page_height = self.script("return [innerWidth, document.documentElement.scrollHeight]")
        clip = {"x": 0, "y": top, "width": width, "height": min(height, page_height - top), "scale": 1}
        data = self.command("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)["data"]
        (self.screenshots / f"{name}.png").write_bytes(base64.b64decode(data))

    # What is wrong with the labels of figures: one is upon another, or leaves its figure
    def bad_labels(self, selector):
        return self.script("""
            const bad = [];
            for (const svg of document.querySelectorAll(arguments[0])) {
              const frame = svg.getBoundingClientRect();
              const texts = [...svg.querySelectorAll('text')].map(t => ({text: t.textContent, box: t.getBoundingClientRect()}));
              const where = svg.closest('figure').id + ': ';
              texts.forEach((a, i) => {
                if (a.box.left < frame.left - 1 || a.box.right > frame.right + 1 || a.box.top < frame.top - 1 || a.box.bottom > frame.bottom + 1) {
                  bad.push(where + a.text + ' leaves its figure');
                }
                for (const b of texts.slice(i + 1)) {
                  const across = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
                  const down = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
                  // boxes of text are higher than its letters
                  if (across > 0 && down > .3 * Math.min(a.box.height, b.box.height)) {
                    bad.push(where + a.text + ' is upon ' + b.text);
                  }
                }
              });
            }
            return bad""", selector)
