import { json } from "../answers.ts";
import type { Fault } from "../faults/fault.ts";
import { FAULT_KINDS } from "../faults/fault.ts";
import { FAULT_EFFECTS } from "../faults/fault-effects.ts";
import type { Gateway } from "../gateway.ts";
import { UnknownIdError } from "../sandbox-errors.ts";
import { readObject } from "./read-object.ts";
import type { Route } from "./route.ts";
import type { FaultsView } from "./views.ts";

export function faultRoutes({ faults }: Gateway): readonly Route[] {
  return [
    { method: "GET", path: "faults", answer: () => json(viewOf(faults.armed)) },
    {
      method: "POST",
      path: "faults",
      answer: async ({ request }) => {
        // `add` judges each field.
        const fault = (await readObject(request, ["on", "kind", "times"])) as unknown as Fault;
        return json(faults.add(fault), 201);
      },
    },
    {
      method: "DELETE",
      path: "faults",
      answer: () => {
        faults.clear();
        return new Response(null, { status: 204 });
      },
    },
    {
      method: "DELETE",
      path: "faults/:id",
      answer: ({ params }) => {
        const id = params["id"] ?? "";
        if (!faults.remove(Number(id))) throw new UnknownIdError(`There is no fault ${id}.`);
        return new Response(null, { status: 204 });
      },
    },
  ];
}

function viewOf(armed: FaultsView["armed"]): FaultsView {
  const kinds = FAULT_KINDS.map((kind) => {
    const { description, on } = FAULT_EFFECTS[kind];
    return { kind, description, on };
  });
  return { armed, kinds };
}
