import type { DemoStatus } from '@pegasus/contracts/demo'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { DemoBanner } from '@/components/demo/demo-banner.tsx'
import { DemoOffer } from '@/components/demo/demo-offer.tsx'
import { demoQuery } from '@/components/demo/demo.queries.ts'
import type { ExampleGroup } from '../example.tsx'

export const DEMO: readonly ExampleGroup[] = [
  { component: 'DemoBanner', examples: [{ name: 'In the demo', show: <DemoBanner /> }] },
  {
    component: 'DemoOffer',
    examples: [
      { name: 'No demo', show: <Offer state="none" /> },
      { name: 'A demo', show: <Offer state="ready" percent={100} /> },
      { name: 'Without the right to create databases', show: <Offer state="none" can_be_made={false} /> },
    ],
  },
]

function Offer({
  percent = 0,
  can_be_made = true,
  ...status
}: Partial<DemoStatus> & { state: 'none' | 'ready' }) {
  const [client] = useState(() => {
    const own = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
    own.setQueryData<DemoStatus>(demoQuery.queryKey, { ...status, percent, can_be_made })
    return own
  })
  return (
    <QueryClientProvider client={client}>
      <DemoOffer />
    </QueryClientProvider>
  )
}
