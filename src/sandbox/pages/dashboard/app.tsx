import { render } from "preact";
import { Dashboard } from "./dashboard.tsx";

render(<Dashboard />, document.body);
