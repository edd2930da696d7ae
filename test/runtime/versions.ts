/** What the matrix brings from npm, each in one exact version. */
export const VERSIONS = {
  node: ["22.13.0", "22.23.3", "24.21.0", "26.10.0"],
  bun: "1.4.5",
  deno: "2.9.6",
  workerd: "1.20261117.1",
  "edge-runtime": "4.0.1",
  chromium: "153",
  vite: "8.3.8",
  esbuild: "0.28.2",
  webpack: "5.112.2",
  "webpack-cli": "7.3.1",
  rollup: "4.67.4",
  "@rollup/plugin-node-resolve": "16.0.3",
  typescript: ["5.4.5", "5.5.4", "5.6.3", "5.7.3", "5.8.3", "5.9.3", "6.0.3", "7.0.2"],
  jest: "30.5.2",
  vitest: "5.1.0",
  msw: "3.0.5",
  "@types/node": "24.19.2",
} as const;

/** `name@version`, as npm wants it. */
export const exactly = (name: string, version: string): string => `${name}@${version}`;
