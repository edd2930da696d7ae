import { expect, test } from "vitest";
import { MemoryDocuments } from "../../src/idempotency/memory-documents.ts";

const ended = (version: string) => ({ text: "{}", version, isOpen: false });
const open = (version: string) => ({ text: "{}", version, isOpen: true });

test("what was opened again is not forgotten, though it had ended before all others", async () => {
  const documents = new MemoryDocuments(2);
  await documents.add("again", ended("1"));
  await documents.add("done", ended("2"));
  await documents.replace("again", "1", open("3"));

  await documents.add("new", open("4"));

  expect(await documents.read("again")).toMatchObject({ version: "3" });
  expect(await documents.read("done")).toBeUndefined();
});
