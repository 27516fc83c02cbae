import { useEffect } from 'react'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { forgetMailLink, useMailLink } from '@/lib/session/session.ts'
import { sayProviderRefusal } from './provider-refused.tsx'

/** Tells a signed-in person why a provider was not linked. Mounted only once, in the app's shell. */
export function ProviderReturn() {
  const link = useMailLink()
  useEffect(() => {
    if (link?.kind !== 'provider-refused') return
    toast({ title: sayProviderRefusal(link) })
    forgetMailLink()
  }, [link])
  return null
}
