import * as sdk from "payments-sdk/browser";
import { startPage } from "./card-page.ts";

startPage(sdk);
