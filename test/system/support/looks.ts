import { AXE, violationsInPage } from "../../support/browsing.ts";
import type { Tab } from "./engine.ts";

/** Each pair of a width, a scheme and a language. */
const LOOKS = [
  [360, "light", "pt-BR"],
  [360, "dark", "en"],
  [1280, "light", "en"],
  [1280, "dark", "pt-BR"],
] as const;

/** What axe finds in a page. Dark by the page's `color-scheme`: only Chromium can emulate a dark system. */
export async function axeViolations(tab: Tab): Promise<string[]> {
  await tab.engine.evaluate(AXE);
  const found: string[] = [];
  for (const look of LOOKS) {
    const [width, scheme, lang] = look;
    await tab.engine.resize(width);
    const isTooWide = await tab.evaluate(
      ([colors, language]) => {
        const { documentElement: root } = document;
        root.style.colorScheme = colors;
        root.lang = language;
        return root.scrollWidth > innerWidth;
      },
      [scheme, lang] as const,
    );
    const violations = await tab.evaluate(violationsInPage);
    if (isTooWide) violations.push("scrolls sideways");
    found.push(...violations.map((violation) => `${look.join(", ")}: ${violation}`));
  }
  return found;
}
