import {
  type AttributeValue,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  type PutItemCommandInput,
  paginateScan,
} from "@aws-sdk/client-dynamodb";
import { type DocumentWrite, documentStore } from "payments-sdk/idempotency";

const RETENTION_SECONDS = 400 * 86_400;

function toDocument({ text, version, writtenAt }: Record<string, AttributeValue>) {
  return { text: text?.S ?? "", version: version?.S ?? "", ageMs: Date.now() - Number(writtenAt?.N) };
}

export function dynamoStore(client: DynamoDBClient, TableName: string) {
  async function put(
    key: string,
    { text, version, isOpen }: DocumentWrite,
    condition: Partial<PutItemCommandInput>,
  ) {
    const now = Date.now();
    const Item = {
      id: { S: key },
      text: { S: text },
      version: { S: version },
      writtenAt: { N: String(now) },
      // Only open documents are in the index, and DynamoDB deletes only the others.
      ...(isOpen
        ? { open: { S: key } }
        : { expiresAt: { N: String(Math.ceil(now / 1000) + RETENTION_SECONDS) } }),
    };
    try {
      await client.send(new PutItemCommand({ TableName, Item, ...condition }));
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }

  return documentStore(
    {
      add: (key, write) => put(key, write, { ConditionExpression: "attribute_not_exists(id)" }),
      async read(key) {
        const { Item } = await client.send(
          new GetItemCommand({ TableName, Key: { id: { S: key } }, ConsistentRead: true }),
        );
        return Item === undefined ? null : toDocument(Item);
      },
      replace: (key, expected, write) =>
        put(key, write, {
          ConditionExpression: "version = :expected",
          ExpressionAttributeValues: { ":expected": { S: expected } },
        }),
      async *list(isOpenOnly) {
        const from = isOpenOnly ? { IndexName: "open" } : { ConsistentRead: true };
        for await (const { Items = [] } of paginateScan({ client }, { TableName, ...from }))
          for (const item of Items) yield { key: item["id"]?.S ?? "", ...toDocument(item) };
      },
    },
    { warning: "leases use the clock of each process: a wrong one can let an order be charged again" },
  );
}
