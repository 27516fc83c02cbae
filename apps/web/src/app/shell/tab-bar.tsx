import type { Stats } from '@pegasus/contracts/stats'
import { Link } from 'react-router'
import { cx } from '../../lib/class-names.ts'
import { formatCount } from '../../lib/format/format.ts'
import { type Tab, type TabId, tabAddress } from '../tabs.ts'

interface TabBarProps {
  tabs: readonly Tab[]
  current: TabId | null
  stats: Stats | undefined
}

/** The tabs, from 640 px up. Real links, so that a middle click opens a new browser tab. */
export function TabBar({ tabs, current, stats }: TabBarProps) {
  return (
    <nav
      aria-label="Sections"
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
                  <span className="text-caption font-medium text-ink-3">{formatCount(tab.count(stats))}</span>
                ) : null}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
