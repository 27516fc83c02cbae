import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { MemoryRouter } from 'react-router'
import { DockProvider } from '@/components/ui/overlays/dock.tsx'
import { Toaster } from '@/components/ui/overlays/toast.tsx'

interface ProvidersProps {
  /** The address of the page; `/` by default. */
  address?: string
  children: ReactNode
}

/** Provides what components need: queries, an address, toasts and the dock. Failed queries are not retried. */
export function Providers({ address = '/', children }: ProvidersProps) {
  const [client] = useState(
    () => new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } }),
  )
  return (
    <QueryClientProvider client={client}>
      <MemoryRouter initialEntries={[address]}>
        <DockProvider>
          {children}
          <Toaster />
        </DockProvider>
      </MemoryRouter>
    </QueryClientProvider>
  )
}
