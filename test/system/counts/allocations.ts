// In a fresh process: how many bytes of V8's heap a create of a contender allocates.
import { ALLOCATION_OPTIONS, countAllocations } from "../../../bench/support/calls/count-allocations.ts";
import { connectTo } from "../../../bench/support/contenders.ts";

const [file = "", baseUrl = ""] = process.argv.slice(2);
if (!process.execArgv.includes(ALLOCATION_OPTIONS[0]))
  throw new Error(`Needs ${ALLOCATION_OPTIONS.join(" ")}.`);

const create = await connectTo({ file, baseUrl });
const { heap } = await countAllocations(create, "card", { warmUp: 3_000, batches: 5, count: 100 });
console.log(Math.round(heap));
process.exit(); // not before the sockets of the contender have rested long enough to end
