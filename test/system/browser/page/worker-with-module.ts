import * as sdk from "payments-sdk/browser";
import { serveReports } from "./worker.ts";

serveReports(sdk);
