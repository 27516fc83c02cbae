import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { followTheme } from '@/lib/browser/theme.ts'
import '@/styles/index.css'
import { Gallery } from './gallery.tsx'
import { Providers } from './providers.tsx'

followTheme()

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <Providers>
      <Gallery />
    </Providers>
  </StrictMode>,
)
