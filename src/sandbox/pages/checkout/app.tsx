import { render } from "preact";
import { Checkout } from "./checkout.tsx";

render(<Checkout />, document.body);
