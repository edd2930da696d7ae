/** A script or stylesheet, bundled for browsers, as text: see scripts/bundled-text.ts. */
declare module "*?bundled" {
  const text: string;
  export default text;
}
