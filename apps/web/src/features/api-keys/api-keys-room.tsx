import { KeyRound } from 'lucide-react'
import { RoomNotice } from '@/components/room-notice.tsx'

export function ApiKeysRoom() {
  return (
    <RoomNotice name="API Keys" Icon={KeyRound} title="No API keys found">
      Keys for the main shop and for printer agents will be listed here, each with its owner, scope and last
      use.
    </RoomNotice>
  )
}
