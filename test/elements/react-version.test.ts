import { afterEach, expect, test, vi } from "vitest";

afterEach(() => {
  vi.doUnmock("react");
  vi.resetModules();
});

test("with a React before 19, which ignores properties and events of elements, the components throw", async () => {
  vi.resetModules();
  vi.doMock("react", async (original) => ({ ...(await original<object>()), version: "18.3.1" }));
  const { PaymentCardForm, PaymentPix } = await import("payments-sdk/elements/react");

  for (const render of [() => PaymentCardForm({}), () => PaymentPix({ code: "0002" })]) {
    expect(render).toThrow(/needs React 19/);
  }
});
