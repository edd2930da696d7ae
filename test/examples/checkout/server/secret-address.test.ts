import { expect, test } from "vitest";
import { BUYER, openShop } from "../support/open-shop.ts";
import { chargeOf, orderPix, sendPostback, signatureIn } from "../support/postbacks.ts";

async function firstNews(url: string): Promise<string> {
  const { body } = await fetch(url);
  const reader = body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  await reader?.cancel();
  return new TextDecoder().decode(value);
}

test("whoever has the page does not learn the address that postbacks come to", async () => {
  const opened = await openShop();
  const { order, path, post, shop } = opened;
  const answer = await post(`${path}/pix`, { revision: 0, buyer: BUYER });
  const page = [await answer.text(), await firstNews(`${shop.url}${path}/events`)];
  for (const part of [path, `${path}/state`]) page.push(await (await fetch(shop.url + part)).text());

  const pix = chargeOf(opened, order);
  await sendPostback(pix);

  page.push(await firstNews(`${shop.url}${path}/events`));
  expect(page.filter((text) => text.includes(order.id))).toHaveLength(5); // all of them are about the order
  expect(page.join()).not.toContain(signatureIn(pix.url));
  expect(page.join()).not.toMatch(/pbsig|postback/i);
});

test("each attempt has an address of its own, and the same path", async () => {
  const opened = await openShop();
  const first = await orderPix(opened);
  await sendPostback(first, { status: "expired" });
  const second = await orderPix(opened);

  expect(first.url).not.toBe(second.url);
  for (const { url } of [first, second]) {
    expect(url).toMatch(new RegExp(`^${opened.shop.url}/postbacks\\?pbsig=[\\w.-]+$`));
  }
});
