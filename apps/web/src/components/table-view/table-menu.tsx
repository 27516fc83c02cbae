import { Check, Download, Settings2 } from 'lucide-react'
import { DropdownMenu, MenuItem, MenuLabel, MenuSeparator } from '../ui/actions/dropdown-menu.tsx'
import { IconButton } from '../ui/actions/icon-button.tsx'
import { ICON } from '../ui/icon-props.ts'
import { useTableSettings } from './table-settings.ts'
import { t } from '@/lib/i18n/messages.ts'

interface TableMenuProps {
  /** The name of the table, under which the settings are stored. */
  name: string
  /** The columns that can be hidden. */
  columns: readonly { id: string; name: string }[]
  /** Exports the shown rows; null while there are no rows. */
  onExport: (() => void) | null
}

/** A menu that selects the columns and the row height of a table, and exports the shown rows. */
export function TableMenu({ name, columns, onExport }: TableMenuProps) {
  const { hidden, isCompact, change } = useTableSettings(name)
  const toggle = (id: string) =>
    change({ hidden: hidden.includes(id) ? hidden.filter((each) => each !== id) : [...hidden, id] })
  return (
    <span className="phone:hidden">
      <DropdownMenu
        trigger={
          <IconButton label={t('Table view')}>
            <Settings2 {...ICON} />
          </IconButton>
        }
      >
        {columns.length > 0 ? <MenuLabel>{t('Columns')}</MenuLabel> : null}
        {columns.map(({ id, name }) => (
          <Choice key={id} name={name} isOn={!hidden.includes(id)} onToggle={() => toggle(id)} />
        ))}
        {columns.length > 0 ? <MenuSeparator /> : null}
        <Choice
          name={t('Compact rows')}
          isOn={isCompact}
          onToggle={() => change({ isCompact: !isCompact })}
        />
        <MenuSeparator />
        <MenuItem icon={<Download {...ICON} />} disabled={onExport === null} onSelect={() => onExport?.()}>
          {t('Export these rows')}
        </MenuItem>
      </DropdownMenu>
    </span>
  )
}

interface ChoiceProps {
  name: string
  isOn: boolean
  onToggle: () => void
}

const Choice = ({ name, isOn, onToggle }: ChoiceProps) => (
  <MenuItem
    role="menuitemcheckbox"
    aria-checked={isOn}
    icon={<Check {...ICON} className={isOn ? '' : 'opacity-0'} />}
    onSelect={(event) => {
      // The menu stays open, because people often change several columns.
      event.preventDefault()
      onToggle()
    }}
  >
    {name}
  </MenuItem>
)
