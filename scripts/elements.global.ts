// What `dist/elements.global.js` contains: a page without a bundler loads one file for the elements and the tokenizer.
export * from "../src/browser.ts";
export * from "../src/elements.ts";
