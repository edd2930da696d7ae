import checkoutScript from "./checkout/checkout-app.tsx?bundled";
import dashboardScript from "./dashboard/dashboard-app.tsx?bundled";
import styles from "./styles.css?bundled";

/** Only the sandbox's own scripts and styles, nothing from other hosts, and no frames. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/**
 * Serves the dashboard at the base URL, and the hosted checkout of each transaction, with their scripts and styles. They
 * load their data from the control API.
 *
 * @param basePath path of the base URL, such as `/pay`; empty if it has none.
 * @returns `undefined` if the path belongs to neither.
 */
export function servePage(request: Request, basePath: string): Response | undefined {
  const { pathname } = new URL(request.url);
  if (!["GET", "HEAD"].includes(request.method)) return undefined;
  if (basePath !== "" && pathname === basePath) {
    return new Response(null, { status: 308, headers: { location: `${basePath}/` } });
  }
  if (!pathname.startsWith(`${basePath}/`)) return undefined;
  const file = findFile(pathname.slice(basePath.length + 1));
  return file && toResponse(file, request.method);
}

interface PageFile {
  readonly type: "html" | "javascript" | "css";
  readonly text: string;
}

const NO_SCRIPT = "This page needs JavaScript. The same functions are available to curl under /sandbox/.";

const ASSETS: Readonly<Record<string, PageFile>> = {
  "sandbox/assets/dashboard.js": { type: "javascript", text: dashboardScript },
  "sandbox/assets/checkout.js": { type: "javascript", text: checkoutScript },
  "sandbox/assets/styles.css": { type: "css", text: styles },
};

function findFile(path: string): PageFile | undefined {
  if (path === "") return { type: "html", text: createHtml("Payments sandbox", "dashboard", "") };
  if (/^checkout\/[^/]+$/.test(path)) {
    return { type: "html", text: createHtml("Checkout", "checkout", "../") };
  }
  return Object.hasOwn(ASSETS, path) ? ASSETS[path] : undefined;
}

/** @param root relative path from the page to the base URL. */
function createHtml(title: string, name: "dashboard" | "checkout", root: string): string {
  return `<!doctype html>
<html lang="en" data-root="${root}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${root}sandbox/assets/styles.css">
<script type="module" src="${root}sandbox/assets/${name}.js"></script>
</head>
<body><noscript>${NO_SCRIPT}</noscript></body>
</html>
`;
}

function toResponse({ type, text }: PageFile, method: string): Response {
  return new Response(method === "HEAD" ? null : text, {
    headers: {
      "content-type": `text/${type}; charset=utf-8`,
      "content-security-policy": POLICY,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
    },
  });
}
