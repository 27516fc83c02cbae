import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { useWedge } from '../../components/code-scanner/use-wedge.ts'
import { statsQuery } from '../../features/dashboard/stats.queries.ts'
import { type Tab, tabAddress, type TabId } from '../tabs.ts'
import { BottomBar } from './bottom-bar.tsx'
import { Header } from './header.tsx'
import { type ShellDialog, ShellDialogs } from './shell-dialogs.tsx'
import { PullToRefresh } from './pull-to-refresh.tsx'
import { useVisibleTabs } from './use-visible-tabs.ts'
import { RefreshCw } from 'lucide-react'
import { Button } from '@/components/ui/actions/button.tsx'
import { newVersionQuery } from '@/lib/browser/app-version.ts'
import type { Stats } from '@pegasus/contracts/stats'
import { Link } from 'react-router'
import { useIsPhone } from '@/lib/browser/use-is-phone.ts'
import { shortcutKey, useShortcuts } from '@/lib/browser/use-shortcuts.ts'
import { cx } from '../../lib/class-names.ts'
import { formatCount } from '../../lib/format/format.ts'
import { rich, t } from '@/lib/i18n/messages.ts'

interface TabBarProps {
  tabs: readonly Tab[]
  current: TabId | null
  stats: Stats | undefined
}

/** Shows the tabs, from 640 px up. They are real links, so that a middle click opens a new browser tab. */
function TabBar({ tabs, current, stats }: TabBarProps) {
  return (
    <nav
      aria-label={t('Sections')}
      className="mx-auto hidden max-w-[1680px] overflow-x-auto px-3.5 [scrollbar-width:none] sm:block"
    >
      <ul className="flex h-10 w-max gap-0.5">
        {tabs.map((tab) => {
          const isCurrent = tab.id === current
          return (
            <li key={tab.id}>
              <Link
                to={tabAddress(tab.id)}
                aria-current={isCurrent ? 'page' : undefined}
                className={cx(
                  'relative flex h-full items-center gap-[7px] rounded-t-control px-2.5 font-medium max-xl:gap-[5px] max-xl:px-1.5 -outline-offset-2 hover:text-ink',
                  isCurrent
                    ? 'text-ink after:absolute after:inset-x-2.5 max-xl:after:inset-x-1.5 after:bottom-0 after:h-0.5 after:bg-accent'
                    : 'text-ink-2',
                )}
              >
                {tab.label}
                {stats && tab.count ? (
                  <span className="text-caption font-medium text-ink-3" title={tab.counted}>
                    {formatCount(tab.count(stats))}
                  </span>
                ) : null}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

/** Announces a new version. The person decides when to reload the page. */
function NewVersionBar() {
  const { data: isNew } = useQuery(newVersionQuery)
  return (
    <div role="status">
      {isNew ? (
        <div className="flex items-center gap-3 border-t border-line bg-accent-soft px-4 py-1.5 text-label text-accent-ink sm:px-6">
          <p className="min-w-0 flex-1">
            {rich('<strong>A new version is available.</strong> Save your work, then reload.', {
              strong: (text) => <strong className="font-semibold">{text}</strong>,
            })}
          </p>
          <Button
            size="sm"
            icon={<RefreshCw size={14} strokeWidth={1.75} aria-hidden />}
            onClick={() => location.reload()}
          >
            {t('Reload')}
          </Button>
        </div>
      ) : null}
    </div>
  )
}

interface ShellProps {
  /** The tab of the current page; null on a page outside the tabs. */
  current: TabId | null
  children: ReactNode
}

/** Shows the header and the tabs around the page, and dialogs over it. */
export function Shell({ current, children }: ShellProps) {
  const tabs = useVisibleTabs()
  const stats = useQuery(statsQuery)
  const [open, setOpen] = useState<ShellDialog | null>(null)
  const isPhone = useIsPhone()
  useRefetchOnTabChange(current)
  useCommandKey(() => setOpen('palette'))
  useShortcuts({
    '/': () => {
      const search = findSearch()
      if (search) search.select()
      else setOpen('palette')
    },
    '?': () => setOpen('help'),
  })
  // While a dialog is open, a scan does not open another one. The dialog handles scans itself, or must not be
  // interrupted.
  useWedge((code) => open === null && setOpen({ code }))
  return (
    <>
      <a
        href="#content"
        className="sr-only z-30 rounded-control bg-accent px-3 py-2 font-medium text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:start-2"
      >
        {t('Skip to content')}
      </a>
      <header className="sticky top-0 z-20 border-b border-line bg-surface">
        <Header onOpen={setOpen} />
        <TabBar tabs={tabs} current={current} stats={stats.data} />
        <NewVersionBar />
      </header>
      {isPhone ? <PullToRefresh /> : null}
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto max-w-[1680px] p-4 pb-[calc(112px+env(safe-area-inset-bottom))] outline-none sm:px-6 sm:pt-5 sm:pb-8 phone:pt-2 sm:[body:has([data-dock]>*)_&]:pb-24 phone:[body:has([data-dock]>*)_&]:pb-[calc(224px+env(safe-area-inset-bottom))]"
      >
        {children}
      </main>
      <BottomBar tabs={tabs} current={current} onScan={() => setOpen('scan')} />
      <ShellDialogs open={open} current={current} onOpen={setOpen} onClose={() => setOpen(null)} />
    </>
  )
}

/** Returns the search field of the page's list, if it is visible. */
const findSearch = (): HTMLInputElement | undefined =>
  [...document.querySelectorAll<HTMLInputElement>('#content input[type=search]')].find((field) =>
    field.checkVisibility(),
  )

/**
 * The tab of the page that was open last; null for a page outside the tabs, undefined before the first page. It is a
 * variable of the module, because each page outside the tabs renders a shell of its own.
 */
let lastPage: TabId | null | undefined

/** Refetches when the page changes. Cached data is shown first. */
function useRefetchOnTabChange(current: TabId | null): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    const isOther = lastPage !== undefined && lastPage !== current
    lastPage = current
    if (!isOther) return
    void queryClient.invalidateQueries()
  }, [current, queryClient])
}

function useCommandKey(onCommand: () => void): void {
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (shortcutKey(event).toLowerCase() !== 'k' || event.altKey || event.shiftKey) return
      if (event.ctrlKey === event.metaKey) return
      event.preventDefault()
      onCommand()
    }
    addEventListener('keydown', handleKey)
    return () => removeEventListener('keydown', handleKey)
  }, [onCommand])
}
