/** A script or a stylesheet, bundled for a browser; see scripts/bundled-text.ts. */
declare module "*?bundled" {
  const text: string;
  export default text;
}
