import axe from "axe-core";

interface Axe {
  run(): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
}

/** An expression that defines `axe` in a page. */
export const AXE = `(() => { ${axe.source} })()`;

/** Runs in a page with {@link AXE}: its accessibility violations. */
export async function violationsInPage(): Promise<string[]> {
  const { violations } = await (window as unknown as { axe: Axe }).axe.run();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary}`),
  );
}
