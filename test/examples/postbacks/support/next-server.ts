import "next/dist/server/node-environment-baseline.js"; // comes first: what follows asks for what it sets up
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { NodeNextRequest, NodeNextResponse } from "next/dist/server/base-http/node.js";
import type { RouteKind } from "next/dist/server/route-kind.js";
import {
  type AppRouteHandlers,
  type AppRouteRouteHandlerContext,
  AppRouteRouteModule,
} from "next/dist/server/route-modules/app-route/module.js";
import { sendResponse } from "next/dist/server/send-response.js";
import {
  NextRequestAdapter,
  signalFromNodeResponse,
} from "next/dist/server/web/spec-extension/adapters/next-request.js";

/**
 * A server that does with one route what Next does: the steps are those of its template for the built file of such a
 * route, `next/dist/build/templates/app-route.js`, without the build.
 */
export function createNextServer(path: string, methods: AppRouteHandlers): Server {
  const routeModule = new AppRouteRouteModule({
    definition: {
      kind: "APP_ROUTE" as RouteKind.APP_ROUTE,
      page: `${path}/route`,
      pathname: path,
      filename: "route",
      bundlePath: `app${path}/route`,
    },
    distDir: "",
    relativeProjectDir: "",
    resolvedPagePath: `app${path}/route.ts`,
    nextConfigOutput: undefined,
    userland: () => ({ ...methods, generateStaticParams: undefined }),
  });

  return createServer(async (request, response) => {
    const context = contextOf(response);
    const nodeRequest = new NodeNextRequest(request);
    const answer = await routeModule.handle(
      NextRequestAdapter.fromNodeNextRequest(nodeRequest, signalFromNodeResponse(response)),
      context,
    );
    const { pendingWaitUntil } = context.renderOpts;
    await sendResponse(nodeRequest, new NodeNextResponse(response), answer, pendingWaitUntil);
  });
}

function contextOf(response: ServerResponse<IncomingMessage>): AppRouteRouteHandlerContext {
  return {
    params: {},
    previewProps: { previewModeId: "", previewModeEncryptionKey: "", previewModeSigningKey: "" },
    renderOpts: {
      experimental: { authInterrupts: false, useCacheTimeout: 60, durableUseCacheEntries: false },
      cacheComponents: false,
      validationLevel: "warning",
      cacheLifeProfiles: { default: { stale: 0, revalidate: 0, expire: 0 } },
      staticPageGenerationTimeout: 60,
      waitUntil: undefined,
      onClose: (callback) => response.on("close", callback),
      onAfterTaskError: undefined,
    },
    sharedContext: { buildId: "a build", deploymentId: "" },
  };
}
