import { recover } from "../../lib/pay";

export const maxDuration = 60;

/** For a cron job, where no timer runs between requests: `Authorization: Bearer <CRON_SECRET>`. */
export async function GET(request: Request): Promise<Response> {
  const { CRON_SECRET } = process.env;
  const isAllowed = CRON_SECRET && request.headers.get("authorization") === `Bearer ${CRON_SECRET}`;
  if (!isAllowed) return new Response(null, { status: 401 });
  await recover();
  return new Response(null, { status: 204 });
}
