"""The page in a browser: what its script does, what it loads, how it fits."""

import ast
import csv
import io

import pytest

pytest.importorskip("selenium")

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from tests.report import contents
from tests.report.browser import emulate, programs, requested, resize, start
from thresher.report import render_page

if None in programs():  # all of them as one, so that the summary stays short
    pytest.skip("needs chromium and chromedriver", allow_module_level=True)

#: Seconds after which a page has failed to change.
PATIENCE = 60
PAGES = {
    "validated": contents.validated,
    "hostile": contents.hostile,
    "stages": contents.two_stages,
    "wide": lambda: contents.wide(5000),
    "nothing": contents.nothing,
    "enough": contents.enough,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("pages")
    for name, content in PAGES.items():
        (path / f"{name}.html").write_text(render_page(content()), "utf-8")
    return path


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    driver = start(tmp_path_factory.mktemp("profile"))
    yield driver
    driver.quit()


@pytest.fixture
def visit(browser, folder):
    """Open a page at a width, after forgetting what was logged."""

    def opened(name, width=1440, **media):
        resize(browser, width)
        emulate(browser, **media)
        browser.get("about:blank")
        browser.get_log("browser")
        requested(browser)
        browser.get((folder / f"{name}.html").as_uri())
        return browser

    return opened


def names(driver):
    """The names in the rows of the table."""
    script = "return [...document.querySelectorAll('td.cell-name')].map(td => td.textContent)"
    return driver.execute_script(script)


def find(driver, selector):
    return driver.find_element(By.CSS_SELECTOR, selector)


def search(driver, text, n_rows):
    """Type into the search box, and wait until so many rows are left."""
    box = find(driver, "#search")
    box.clear()
    box.send_keys(text)
    WebDriverWait(driver, PATIENCE).until(lambda _: len(names(driver)) == n_rows)


@pytest.mark.parametrize("page", PAGES)
def test_the_page_loads_itself_only_and_has_no_errors(page, visit, folder):
    driver = visit(page)
    assert requested(driver) in ([(folder / f"{page}.html").as_uri()],
                                 [(folder / f"{page}.html").as_uri(), "data:,"])  # fmt: skip
    assert driver.get_log("browser") == []


@pytest.mark.parametrize("page", PAGES)
def test_the_page_is_no_wider_than_the_window(page, visit):
    for width in (390, 820, 1440):
        driver = visit(page, width)
        assert driver.execute_script("return document.documentElement.scrollWidth") <= width


def test_columns_are_sorted_by_their_headings(visit):
    driver = visit("validated")
    first = names(driver)
    heading = find(driver, "th[data-key=score]")
    find(heading, "button").click()
    assert heading.get_attribute("aria-sort") == "descending"
    assert names(driver)[:3] == ["a", "b", "b copy"]
    find(heading, "button").send_keys(Keys.ENTER)
    assert heading.get_attribute("aria-sort") == "ascending"
    assert names(driver)[0] == "noise"
    assert names(driver)[-1] == "fixed"  # it has no score
    find(heading, "button").click()
    assert heading.get_attribute("aria-sort") is None
    assert names(driver) == first


def test_rows_are_found_by_name_and_reason(visit):
    driver = visit("validated")
    search(driver, "B COP", 1)
    assert names(driver) == ["b copy"]
    assert find(driver, "#found").text == "1 of 7 columns"
    search(driver, "superfluous beside", 2)
    search(driver, "no such thing", 0)
    assert find(driver, "#found").text == "No column fits the search."


def test_rows_are_filtered_by_verdict(visit):
    driver = visit("validated")
    button = find(driver, "button[data-kind=redundant]")
    assert button.text == "redundant 2"
    button.click()
    assert button.get_attribute("aria-pressed") == "true"
    assert sorted(names(driver)) == ["b copy", "b shadow"]


def test_the_script_shows_what_the_template_shows(visit):
    """The rows that need no script and those that the script draws are the same."""
    driver = visit("validated")
    drawn = driver.execute_script("return document.querySelector('tbody').innerText")
    static = driver.execute_script(
        "const page = new DOMParser().parseFromString(arguments[0], 'text/html');"
        "const body = document.querySelector('tbody');"
        "body.replaceChildren(...page.querySelectorAll('tbody tr'));"
        "return body.innerText",
        render_page(contents.validated()),
    )
    assert drawn == static


def test_markup_in_a_name_is_text(visit):
    driver = visit("hostile")
    assert contents.SCRIPT in names(driver)
    assert "right to left \\u202eoverride\\u2066" in names(driver)
    assert "(empty name)" in names(driver)
    assert driver.execute_script("return document.scripts.length") == 2
    assert driver.execute_script("return document.images.length") == 0


def test_the_names_are_copied_as_a_python_list(visit):
    driver = visit("hostile")
    driver.execute_script(
        "Object.defineProperty(navigator, 'clipboard',"
        " {value: {writeText: (text) => { window.copied = text; }}})"
    )
    find(driver, "#copy").click()
    copied = driver.execute_script("return window.copied")
    assert copied.isprintable()
    assert ast.literal_eval(copied) == contents.hostile()["selected"]


def test_the_rows_shown_are_saved_as_csv_without_formulas(visit):
    driver = visit("hostile")
    driver.execute_script(
        "URL.createObjectURL = (blob) => { blob.text().then((t) => { window.csv = t; });"
        " return '#'; }"
    )
    find(driver, "#export").click()
    waiting = WebDriverWait(driver, PATIENCE)
    text = waiting.until(lambda _: driver.execute_script("return window.csv"))
    rows = list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))
    assert len(rows) == len(contents.HOSTILE)
    assert "'=HYPERLINK(1)" in {row["name"] for row in rows}
    assert "two\nlines\tand a tab" in {row["name"] for row in rows}


def test_dark_mode_is_dark(visit):
    script = "return getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)"
    assert max(visit("validated", theme="dark").execute_script(script)) < 60
    assert min(visit("validated", theme="light").execute_script(script)) > 230


def test_print_shows_rows_and_settings_but_no_controls(visit):
    driver = visit("wide", 800, media="print", theme="dark")
    assert not find(driver, "nav").is_displayed()
    assert not find(driver, "#search").is_displayed()
    assert find(driver, "tbody td").is_displayed()
    assert driver.execute_script("return document.documentElement.scrollWidth") <= 800
    driver.execute_script("dispatchEvent(new Event('beforeprint'))")
    assert len(names(driver)) == 200
    assert driver.find_elements(By.CSS_SELECTOR, "details:not([open])") == []
    driver.execute_script("dispatchEvent(new Event('afterprint'))")
    assert len(names(driver)) == 100


def test_thousands_of_rows_come_in_pages(visit):
    driver = visit("wide")
    assert len(names(driver)) == 100
    assert find(driver, "#found").text == "5,000 columns"
    find(driver, "#next").click()
    assert names(driver)[0] == "sensor 100 / reading"
    find(driver, "th[data-key=name] button").click()
    assert names(driver)[:3] == [f"sensor {k} / reading" for k in range(3)]
    search(driver, "sensor 4999", 1)
    assert not find(driver, "#next").is_displayed()
