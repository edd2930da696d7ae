// For `node --import`: every sandbox of the program requires the fields of a pix that the endpoint's table requires.
import { registerHooks } from "node:module";

const FACTORIES = new Map([
  ["payments-sdk/sandbox", "createGateway"],
  ["payments-sdk/sandbox/server", "startSandbox"],
]);

registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context);
    const name = FACTORIES.get(specifier);
    if (name === undefined) return resolved;
    const source = `
      import { ${name} as create } from "${resolved.url}";
      export * from "${resolved.url}";
      export const ${name} = (options) => create({ pixFields: "endpoint", ...options });`;
    return { url: `data:text/javascript,${encodeURIComponent(source)}`, shortCircuit: true };
  },
});
