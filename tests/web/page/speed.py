"""How fast the page is in a real browser, and what it weighs: `python -m tests.web.page.speed`.

Times depend on the machine and what else it does, so they are printed, not asserted.
"""

from statistics import median, quantiles

from tests.networks.published import MISSING, PATHS
from tests.web.page.browser import looking, stop_browser

from bayesfold.web.server import static

CLICKS = 40
PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
CLICK = """async k => {
  const states = [...document.querySelectorAll('.node .state')];
  performance.clearMeasures('beliefs');
  const begin = performance.now();
  const element = states[(k * 7) % states.length];
  for (const name of ['pointerdown', 'pointerup'])
    element.dispatchEvent(new PointerEvent(name, { pointerId: 1, bubbles: true }));
  const found = () => performance.getEntriesByName('beliefs')[0];
  while (!found()) await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  return [found().duration, performance.now() - begin];
}"""


def main():
    """One line per figure."""
    weight = sum(len(file.body) for name, file in static.page_files().items() if name)
    print(f"the page without plotly weighs {weight / 1e6:.2f} MB")
    if not PATHS:
        print(MISSING)
        return
    with looking(PATHS["alarm"]) as (page, address, _):
        page.goto(address)
        page.wait_for_selector(".state[data-p]")
        print(f"first paint {page.evaluate(PAINT):.0f} ms")
        page.evaluate("Element.prototype.setPointerCapture = () => {}")  # a made-up pointer cannot be captured
        took = [page.evaluate(CLICK, k) for k in range(CLICKS)]
        for what, times in zip(("beliefs in the page", "the frame after it"), zip(*took, strict=True), strict=True):
            slow = quantiles(times, n=20)[-1]
            print(f"ALARM, observation to {what}: median {median(times):.0f} ms, 95 % under {slow:.0f} ms")


if __name__ == "__main__":
    main()
    stop_browser()
