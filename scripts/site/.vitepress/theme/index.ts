import DefaultTheme from "vitepress/theme";
import "./style.css"; // after the styles that it changes

export default DefaultTheme;
