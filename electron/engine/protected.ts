// skeleton: signatures first, filled in the next commits.
import type { Access } from '../../shared/terms';
import type { PlatformFacts, ProtectedPlaces } from './facts';

export interface ProtectedReason {
  readonly kind: 'credentials' | 'own_data' | 'added' | 'agent_settings';
  /** Key of the built-in protection, such as `.ssh`; the path for one that was added. */
  readonly name: string;
  /** Hard deny (credentials, own data, added) or hard require (agent settings, writes only). */
  readonly action: 'deny' | 'require';
}
export function protectedReason(_path: string, _access: Access, _places: ProtectedPlaces, _platform: PlatformFacts): ProtectedReason | null {
  throw new Error('not built yet');
}
