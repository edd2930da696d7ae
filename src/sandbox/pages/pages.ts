import checkoutScript from "./checkout/app.tsx?bundled";
import dashboardScript from "./dashboard/app.tsx?bundled";
import styles from "./styles.css?bundled";

/** No script and no style but ours, nothing from another host, and nobody's frame. */
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
 * The sandbox's own pages: the dashboard at the base URL, and the hosted checkout of each transaction. They
 * hold no data; they get it from the control API.
 *
 * @param basePath what stands before every path, such as `/pay`; empty for none.
 * @returns `undefined` for what is no page.
 */
export function servePage(request: Request, basePath: string): Response | undefined {
  const { pathname } = new URL(request.url);
  if (!["GET", "HEAD"].includes(request.method)) return undefined;
  if (basePath !== "" && pathname === basePath) {
    return new Response(null, { status: 308, headers: { location: `${basePath}/` } });
  }
  if (!pathname.startsWith(`${basePath}/`)) return undefined;
  const file = fileAt(pathname.slice(basePath.length + 1));
  return file && respond(file, request.method);
}

interface PageFile {
  readonly type: "html" | "javascript" | "css";
  readonly text: string;
}

function fileAt(path: string): PageFile | undefined {
  switch (path) {
    case "":
      return { type: "html", text: documentOf("Payments sandbox", "dashboard", "") };
    case "sandbox/assets/dashboard.js":
      return { type: "javascript", text: dashboardScript };
    case "sandbox/assets/checkout.js":
      return { type: "javascript", text: checkoutScript };
    case "sandbox/assets/styles.css":
      return { type: "css", text: styles };
    default:
      return /^checkout\/[^/]+$/.test(path)
        ? { type: "html", text: documentOf("Checkout", "checkout", "../") }
        : undefined;
  }
}

/** @param root the way from the page to the base URL, for all that it asks for. */
function documentOf(title: string, name: "dashboard" | "checkout", root: string): string {
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
<body><noscript>This page needs JavaScript. All of it is there for curl, too, under /sandbox/.</noscript></body>
</html>
`;
}

function respond({ type, text }: PageFile, method: string): Response {
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
