import type { ApiKey } from '@pegasus/contracts/api-keys'
import { Eye, RotateCw, Trash2 } from 'lucide-react'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { Switch } from '@/components/ui/forms/switch.tsx'
import { Tooltip } from '@/components/ui/overlays/tooltip.tsx'
import type { KeyActions } from './use-key-actions.ts'
import { ICON } from '@/components/ui/icon-props.ts'
import { t } from '@/lib/i18n/messages.ts'

interface KeySwitchProps {
  apiKey: ApiKey
  actions: KeyActions
}

export const KeySwitch = ({ apiKey, actions }: KeySwitchProps) => (
  <Switch
    label={
      apiKey.is_active
        ? t('Disable {name}', { name: apiKey.label })
        : t('Enable {name}', { name: apiKey.label })
    }
    isLabelHidden
    checked={apiKey.is_active}
    onChange={() => actions.toggle(apiKey)}
  />
)

interface RowActionsProps extends KeySwitchProps {
  onDetails: () => void
  onDelete: () => void
}

/** The buttons at the right end of a row. */
export function RowActions({ apiKey, actions, onDetails, onDelete }: RowActionsProps) {
  const { label } = apiKey
  return (
    <div className="flex items-center justify-end gap-1">
      <KeySwitch apiKey={apiKey} actions={actions} />
      <span className="w-1.5" />
      <Tooltip text={t('Details')}>
        <IconButton label={t('Details of {label}', { label })} title="" size="sm" onClick={onDetails}>
          <Eye {...ICON} />
        </IconButton>
      </Tooltip>
      <Tooltip text={t('Rotate')}>
        <IconButton
          label={t('Rotate {label}', { label })}
          title=""
          size="sm"
          disabled={actions.rotatingId === apiKey.id}
          onClick={() => actions.rotate(apiKey)}
        >
          <RotateCw {...ICON} />
        </IconButton>
      </Tooltip>
      <Tooltip text={t('Delete')}>
        <IconButton
          label={t('Delete {label}', { label })}
          title=""
          size="sm"
          className="text-red-ink!"
          onClick={onDelete}
        >
          <Trash2 {...ICON} />
        </IconButton>
      </Tooltip>
    </div>
  )
}
