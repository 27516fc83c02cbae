import './styles/index.css'
// First, because it waits for the browser before the app's own modules run.
import './paint-last-view.ts'
import { startApp } from './main.tsx'

await startApp()
