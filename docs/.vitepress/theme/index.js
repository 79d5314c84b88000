import DefaultTheme from 'vitepress/theme';
import './guide.css';

export default DefaultTheme;
