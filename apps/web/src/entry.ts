import './styles/index.css'
import { startApp } from './main.tsx'

await startApp()
