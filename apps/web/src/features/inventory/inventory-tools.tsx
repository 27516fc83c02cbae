import { hasRole } from '@pegasus/contracts/roles'
import { useQuery } from '@tanstack/react-query'
import {
  Calculator,
  Ellipsis,
  FileDown,
  FileUp,
  type LucideIcon,
  MapPin,
  Printer,
  Trash2,
} from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { Button } from '@/components/ui/actions/button.tsx'
import { DropdownMenu, MenuItem, MenuSeparator } from '@/components/ui/actions/dropdown-menu.tsx'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { dueLabelsQuery } from '@/lib/labels/due-labels.ts'
import { printLabels } from '@/lib/labels/print-labels.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { CostSettingsDialog } from './costs/cost-settings-dialog.tsx'
import { readFilters, readSort, withView } from './inventory-address.ts'
import { useCsvExport } from './csv/use-csv-export.ts'
import { ICON } from '@/components/ui/icon-props.ts'
import { t } from '@/lib/i18n/messages.ts'

interface InventoryToolsProps {
  params: URLSearchParams
  onImport: () => void
}

/** The buttons and the menu for the whole inventory, without the button for a new item. */
export function InventoryTools({ params, onImport }: InventoryToolsProps) {
  const { role } = useCurrentUser()
  const canChange = hasRole(role, 'staff')
  const isAdmin = hasRole(role, 'admin')
  const [isPricing, setIsPricing] = useState(false)
  const exporting = useCsvExport(readFilters(params), readSort(params))
  return (
    <>
      {canChange ? <DueLabels /> : null}
      <DropdownMenu
        trigger={
          <IconButton label={t('Inventory tools')}>
            <Ellipsis {...ICON} />
          </IconButton>
        }
      >
        <MenuLink to={`?${withView(params, 'locations')}`} Icon={MapPin}>
          {t('Locations')}
        </MenuLink>
        <MenuLink to={`?${withView(params, 'bin')}`} Icon={Trash2}>
          {t('Trash')}
        </MenuLink>
        <MenuSeparator />
        {canChange ? (
          <MenuItem icon={<FileUp {...ICON} />} onSelect={onImport}>
            {t('Import CSV')}
          </MenuItem>
        ) : null}
        <MenuItem
          icon={<FileDown {...ICON} />}
          disabled={exporting.isPending}
          onSelect={() => exporting.mutate()}
        >
          {t('Export CSV')}
        </MenuItem>
        {isAdmin ? (
          <>
            <MenuSeparator />
            <MenuItem icon={<Calculator {...ICON} />} onSelect={() => setIsPricing(true)}>
              {t('Cost settings')}
            </MenuItem>
          </>
        ) : null}
      </DropdownMenu>
      {isPricing ? <CostSettingsDialog onClose={() => setIsPricing(false)} /> : null}
    </>
  )
}

interface MenuLinkProps {
  to: string
  Icon: LucideIcon
  children: string
}

const MenuLink = ({ to, Icon, children }: MenuLinkProps) => (
  <MenuItem asChild>
    <Link to={to}>
      <Icon {...ICON} />
      {children}
    </Link>
  </MenuItem>
)

/** Opens the print dialog for labels that were never printed, or have changed since the last print. */
function DueLabels() {
  const { data } = useQuery(dueLabelsQuery)
  const due = data?.items ?? []
  if (due.length === 0) return null
  return (
    <Button
      icon={<Printer {...ICON} />}
      className="phone:hidden"
      onClick={() => printLabels(due.map(({ kind, id }) => ({ kind, id })))}
    >
      {t('Print {due, plural, one {# due label} other {# due labels}}', { due: due.length })}
    </Button>
  )
}
