import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { MemoryRouter } from 'react-router'
import { DockProvider } from '@/components/ui/overlays/dock.tsx'
import { Toaster } from '@/components/ui/overlays/toast.tsx'
import { followTheme } from '@/lib/browser/theme.ts'
import '@/styles/index.css'
import { Gallery } from './gallery.tsx'

followTheme()

// Failed examples must stay failed: no query is tried again.
const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } })

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <DockProvider>
          <Gallery />
          <Toaster />
        </DockProvider>
      </MemoryRouter>
    </QueryClientProvider>
  </StrictMode>,
)
