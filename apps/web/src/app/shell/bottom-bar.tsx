import { Menu, ScanQrCode } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { DropdownMenu, MenuItem } from '../../components/ui/actions/dropdown-menu.tsx'
import { cx } from '../../lib/class-names.ts'
import { type Tab, type TabId, tabAddress } from '../tabs.ts'
import { t } from '@/lib/i18n/messages.ts'

const IN_BAR: readonly TabId[] = ['dashboard', 'inventory', 'print-queue']

interface BottomBarProps {
  tabs: readonly Tab[]
  current: TabId | null
  onScan: () => void
}

/** Shows the tabs on a phone, within thumb's reach. Rarely used tabs are under More. */
export function BottomBar({ tabs, current, onScan }: BottomBarProps) {
  const find = (id: TabId) => tabs.find((tab) => tab.id === id)
  const moreTabs = tabs.filter(({ id }) => !IN_BAR.includes(id))
  const isInMore = moreTabs.some(({ id }) => id === current)
  return (
    <nav
      aria-label={t('Sections')}
      className="fixed inset-x-0 bottom-0 z-20 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] sm:hidden"
    >
      <ul className="grid h-[76px] grid-cols-5">
        {[find('dashboard'), find('inventory')].map(
          (tab) => tab && <BarLink key={tab.id} tab={tab} current={current} />,
        )}
        <li className="relative">
          <button
            type="button"
            onClick={onScan}
            className="absolute -top-[18px] left-1/2 flex size-14 -translate-x-1/2 flex-col items-center justify-center gap-0.5 rounded-dialog bg-accent text-[0.6875rem] font-medium text-on-accent ring-4 ring-surface"
          >
            <ScanQrCode size={20} strokeWidth={1.6} aria-hidden />
            {t('Scan')}
          </button>
        </li>
        {[find('print-queue')].map((tab) => tab && <BarLink key={tab.id} tab={tab} current={current} />)}
        <li>
          <DropdownMenu
            trigger={
              <button type="button" className={cellClass(isInMore)}>
                <BarCell icon={<Menu size={22} strokeWidth={1.6} aria-hidden />} label={t('More')} />
              </button>
            }
          >
            {moreTabs.map(({ id, label, Icon }) => (
              <MenuItem key={id} asChild>
                <Link to={tabAddress(id)} aria-current={id === current ? 'page' : undefined}>
                  <Icon size={18} strokeWidth={1.6} aria-hidden />
                  {label}
                </Link>
              </MenuItem>
            ))}
          </DropdownMenu>
        </li>
      </ul>
    </nav>
  )
}

const cellClass = (isCurrent: boolean): string =>
  cx(
    'flex size-full flex-col items-center justify-center gap-1 text-[0.6875rem] leading-4 font-medium -outline-offset-2',
    isCurrent ? 'text-accent-ink' : 'text-ink-2',
  )

const BarCell = ({ icon, label }: { icon: ReactNode; label: ReactNode }) => (
  <>
    {icon}
    <span className="max-w-full truncate px-0.5">{label}</span>
  </>
)

function BarLink({
  tab: { id, label, barLabel = label, Icon },
  current,
}: {
  tab: Tab
  current: TabId | null
}) {
  const isCurrent = id === current
  return (
    <li>
      <Link
        to={tabAddress(id)}
        aria-current={isCurrent ? 'page' : undefined}
        className={cellClass(isCurrent)}
      >
        <BarCell icon={<Icon size={22} strokeWidth={1.6} aria-hidden />} label={barLabel} />
      </Link>
    </li>
  )
}
