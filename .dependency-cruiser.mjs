/**
 * Which layer may import which. What is not named here is forbidden, however it is imported: statically,
 * dynamically, for its side effect or for its types.
 */
const MAY_IMPORT = {
  spec: [],
  contracts: ["spec"],
  data: ["spec"],
  errors: ["spec", "contracts", "data"],
  http: ["spec", "contracts", "data", "errors"],
  tokenizer: ["spec", "data", "errors", "http"],
  elements: ["spec", "data", "errors", "http", "tokenizer"],
  idempotency: ["spec", "contracts", "data", "errors", "http"],
  postbacks: ["spec", "contracts", "data", "errors", "http", "idempotency/postbacks"],
  node: ["spec", "data", "errors", "http"],
  resources: ["spec", "contracts", "data", "errors", "http", "tokenizer"],
  client: ["spec", "contracts", "data", "errors", "http", "resources"],
  sandbox: ["spec"],
  testing: ["contracts", "browser.ts", "sandbox.ts", "sandbox-server.ts"],
  cli: ["index.ts", "idempotency.ts", "postbacks.ts", "sandbox.ts", "sandbox-server.ts"], // as a merchant would
};

/** Folders whose types, and nothing else, a layer may import. */
const MAY_IMPORT_TYPES = {
  postbacks: ["sandbox"],
  sandbox: ["contracts", "resources", "tokenizer"],
  testing: ["idempotency/store.ts"],
};

/** What an entry may re-export. An entry imports no other entry. */
const MAY_LIST = {
  index: [
    "spec",
    "contracts",
    "errors",
    "http",
    "resources",
    "tokenizer",
    "postbacks/parse-postback.ts",
    "client",
  ],
  browser: ["spec", "errors", "http", "tokenizer"],
  elements: ["elements"],
  "elements-react": ["elements.ts", "elements"],
  "elements-vue": ["elements"],
  "elements-svelte": ["elements"],
  postbacks: ["spec", "contracts", "errors", "postbacks"],
  idempotency: ["contracts", "errors", "idempotency"],
  "idempotency-testing": ["testing/rules.ts", "testing/stores"],
  testing: ["testing"],
  node: ["node"],
  sandbox: ["sandbox(?!/(server|control|pages)/|/msw-handlers)"],
  "sandbox-server": ["sandbox/server"],
  payments: ["cli/run.ts"],
  msw: ["sandbox/msw-handlers.ts"],
};

/** The drivers of databases. A merchant installs one: `no-driver-at-run-time` allows only their types. */
const DRIVERS = "(@redis/|redis/|ioredis/|pg/|@types/pg/|postgres/|mysql2/)";

/** The packages that src may import: which part of the package, and in which files. */
const PACKAGES = [
  { name: "ky-only-for-what-may-be-repeated", what: "ky/", users: "http/send-with-ky\\.ts$" },
  { name: "zod-not-in-spec-nor-sandbox", what: "zod/", users: "(?!spec/|sandbox/)" },
  { name: "zod-only-as-mini", what: "zod/(?!(v4/)?mini/)", users: "(?!)" },
  { name: "jose-only-for-signed-urls", what: "jose/", users: "postbacks/" },
  { name: "lean-qr-only-for-pix", what: "lean-qr/", users: "(sandbox|elements)/" },
  {
    name: "react-only-in-its-components",
    what: "react/",
    users: "elements(-react\\.ts|/react-components\\.tsx)$",
  },
  { name: "svelte-only-for-its-types", what: "svelte/", users: "elements-svelte\\.ts$" },
  { name: "vue-only-for-its-types", what: "vue/", users: "elements-vue\\.ts$" },
  { name: "preact-only-in-the-pages", what: "preact/", users: "sandbox/pages/" },
  { name: "commander-only-in-the-command-line", what: "commander/", users: "cli/" },
  { name: "csv-parse-only-for-the-files-of-reconcile", what: "csv-parse/", users: "cli/reconcile/" },
  { name: "drivers-only-for-the-types-of-the-command-line", what: DRIVERS, users: "cli/drivers\\.ts$" },
  { name: "hono-only-in-the-sandbox-server", what: "hono/", users: "sandbox/(control|server)/" },
  { name: "hono-node-only-in-the-sandbox-server", what: "@hono/node-server/", users: "sandbox/server/" },
  { name: "msw-only-in-its-adapter", what: "msw/", users: "sandbox/msw-handlers\\.ts$" },
];

/** The files that run on Node alone. Node's types come with it. */
const NODE_PARTS = "^src/(cli/|sandbox/server/|node/|testing/|idempotency/stores/sqlite-)";
const NODE_TYPES = "(^|/)node_modules/@types/node/";

const error = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

/** A folder's name, or the path of one file. */
const pathOf = (target) => (target.endsWith(".ts") ? `${target.replace(".", "\\.")}$` : `${target}/`);
const anyOf = (targets) => `^src/(${targets.map(pathOf).join("|")})`;

const layers = Object.entries(MAY_IMPORT).flatMap(([layer, targets]) => {
  const types = MAY_IMPORT_TYPES[layer] ?? [];
  const from = { path: `^src/${layer}/` };
  const allowed = targets.join(", ") || "nothing";
  return [
    error(`layer-${layer}`, `${layer} may import ${allowed}`, from, {
      path: "^src/",
      pathNot: anyOf([layer, ...targets, ...types]),
    }),
    ...types.map((folder) =>
      error(`layer-${layer}-types-of-${folder}`, `${layer} may import only types of ${folder}`, from, {
        path: anyOf([folder]),
        dependencyTypesNot: ["type-only"],
      }),
    ),
  ];
});

const entries = Object.entries(MAY_LIST).map(([entry, targets]) =>
  error(
    `entry-${entry}`,
    `the entry ${entry} lists ${targets.join(", ")}`,
    { path: `^src/${entry}\\.ts$` },
    { path: "^src/", pathNot: anyOf(targets) },
  ),
);

const packages = PACKAGES.map(({ name, what, users }) =>
  error(
    name,
    `${what} is for src/${users} only`,
    { path: "^src/", pathNot: `^src/${users}` },
    { path: `(^|/)node_modules/${what}` },
  ),
);
const packageNames = [
  "redis",
  "@redis",
  "ioredis",
  "pg",
  "@types/pg",
  "postgres",
  "mysql2",
  "ky",
  "zod",
  "jose",
  "lean-qr",
  "react",
  "vue",
  "svelte",
  "preact",
  "commander",
  "csv-parse",
  "hono",
  "@hono/node-server",
  "msw",
].join("|");

export default {
  forbidden: [
    ...layers,
    ...entries,
    ...packages,
    error(
      "layer-unknown",
      "every file is an entry or belongs to a layer",
      {
        path: "^src/",
        pathNot: `^src/((${Object.keys(MAY_IMPORT).join("|")})/|(${Object.keys(MAY_LIST).join("|")})\\.ts$)`,
      },
      {},
    ),
    error(
      "node-only-in-node-parts",
      "the rest runs in browsers and on every other runtime",
      { path: "^src/", pathNot: NODE_PARTS },
      { dependencyTypes: ["core"] },
    ),
    error(
      "node-types-only-in-node-parts",
      "the rest runs in browsers and on every other runtime",
      { path: "^src/", pathNot: NODE_PARTS },
      { path: NODE_TYPES },
    ),
    error(
      "no-other-package",
      "src imports only the packages in PACKAGES",
      { path: "^src/" },
      { path: "(^|/)node_modules/", pathNot: `(^|/)node_modules/(${packageNames}|@types/node)/` },
    ),
    error(
      "no-driver-at-run-time",
      "a merchant installs the driver, and src imports only its types",
      { path: "^src/" },
      { path: `(^|/)node_modules/${DRIVERS}`, dependencyTypesNot: ["type-only", "type-import"] },
    ),
    error(
      "no-undeclared-package",
      "package.json names every package that the code loads",
      { path: "^src/" },
      { dependencyTypes: ["npm-no-pkg", "npm-unknown", "unknown", "undetermined"] },
    ),
    error("no-unresolvable", "the import leads nowhere", {}, { couldNotResolve: true }),
    error(
      "no-circular",
      "modules that import each other cannot be loaded in a defined order",
      {},
      { circular: true },
    ),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true, // type imports too
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "default", "types"] },
  },
};
