import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useWedge } from '../../components/code-scanner/use-wedge.ts'
import { statsQuery } from '../../features/stats/stats.queries.ts'
import type { TabId } from '../tabs.ts'
import { BottomBar } from './bottom-bar.tsx'
import { Header } from './header.tsx'
import { NewVersionBar } from './new-version-bar.tsx'
import { type ShellDialog, ShellDialogs } from './shell-dialogs.tsx'
import { TabBar } from './tab-bar.tsx'
import { useVisibleTabs } from './use-visible-tabs.ts'

interface ShellProps {
  /** The tab of the current page; null on a page outside the tabs. */
  current: TabId | null
  children: ReactNode
}

/** Header and tabs around the page, and the dialogs over it. */
export function Shell({ current, children }: ShellProps) {
  const tabs = useVisibleTabs()
  const stats = useQuery(statsQuery)
  const [open, setOpen] = useState<ShellDialog | null>(null)
  useRefetchOnTabChange(current)
  useCommandKey(() => setOpen('palette'))
  // An open dialog handles scans itself, or must not be left because of one.
  useWedge((code) => open === null && setOpen({ code }))
  return (
    <>
      <a
        href="#content"
        className="sr-only z-30 rounded-control bg-accent px-3 py-2 font-medium text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      <header className="sticky top-0 z-20 border-b border-line bg-surface">
        <Header onOpen={setOpen} />
        <TabBar tabs={tabs} current={current} stats={stats.data} />
        <NewVersionBar />
      </header>
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto max-w-[1680px] p-4 pb-[calc(112px+env(safe-area-inset-bottom))] outline-none sm:px-6 sm:pt-5 sm:pb-8 phone:pt-3 sm:[body:has([data-dock]>*)_&]:pb-24 phone:[body:has([data-dock]>*)_&]:pb-[calc(224px+env(safe-area-inset-bottom))]"
      >
        {children}
      </main>
      <BottomBar tabs={tabs} current={current} onScan={() => setOpen('scan')} />
      <ShellDialogs open={open} onOpen={setOpen} onClose={() => setOpen(null)} />
    </>
  )
}

/** Cached data may show first, but each change of page asks the server again. */
function useRefetchOnTabChange(current: TabId | null): void {
  const queryClient = useQueryClient()
  const last = useRef(current)
  useEffect(() => {
    if (last.current === current) return
    last.current = current
    void queryClient.invalidateQueries()
  }, [current, queryClient])
}

function useCommandKey(onCommand: () => void): void {
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || event.altKey || event.shiftKey) return
      if (event.ctrlKey === event.metaKey) return
      event.preventDefault()
      onCommand()
    }
    addEventListener('keydown', handleKey)
    return () => removeEventListener('keydown', handleKey)
  }, [onCommand])
}
