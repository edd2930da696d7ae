import type { OrderRecord } from "../../idempotency.ts";
import { Failure } from "../failure.ts";
import { quoteForShell } from "../shell.ts";
import { describeNamespaces, type OpenStore, type StoreFlags } from "../store.ts";
import { hasSecret, nameOfStore } from "../store-name.ts";

/** Namespaces that are searched for an order that is not in the given one. */
const SEARCHED_NAMESPACES = 50;

/** @throws {Failure} `no_such_order`, which names the namespaces that have it. */
export async function findOrder(
  { store, name, namespace, inNamespace }: OpenStore,
  externalRef: string,
): Promise<OrderRecord> {
  const order = await store.get(externalRef);
  if (order !== undefined) return order;

  const names = await store.namespaces();
  const others = names.filter((other) => other !== namespace).slice(0, SEARCHED_NAMESPACES);
  const holders: string[] = [];
  for (const other of others) {
    if ((await inNamespace(other).get(externalRef)) !== undefined) holders.push(other);
  }
  const [first] = holders;
  const hint = () => {
    if (first !== undefined)
      return `There is one in ${holders.join(", ")}: use --namespace ${quoteForShell(first)}.`;
    return names.includes(namespace) && others.length === 0 ? "" : describeNamespaces(names);
  };
  const problem = `No order "${externalRef}" in namespace "${namespace}" of ${name}.`;
  throw new Failure("no_such_order", `${problem} ${hint()}`.trimEnd());
}

/**
 * A command about the same order of the same store, for a shell. A store URL with a secret is not repeated.
 *
 * @param options - For example `--attempt 1 --not-charged`.
 */
export function suggestCommand(
  name: string,
  externalRef: string,
  options: string,
  { store, namespace }: StoreFlags,
): string {
  const place = [
    store === undefined
      ? ""
      : `--store ${hasSecret(store) ? `<${nameOfStore(store)}>` : quoteForShell(store)}`,
    namespace === undefined ? "" : `--namespace ${quoteForShell(namespace)}`,
  ];
  const reference = quoteForShell(externalRef);
  const words = externalRef.startsWith("-")
    ? [options, ...place, "--", reference]
    : [reference, options, ...place];
  return ["npx payments orders", name, ...words].filter((word) => word !== "").join(" ");
}
