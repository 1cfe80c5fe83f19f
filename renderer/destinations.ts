// The eight destinations of the rail: path, name, picture, key, screen. The frame, the palette and the keys read the one list.

import { Activity, Bot, FolderKanban, FolderLock, Inbox, ListChecks, type LucideIcon, Settings, SquareTerminal } from 'lucide-react';
import type { ComponentType } from 'react';
import type { KeyId } from './keys';
import { ActivityScreen } from './screens/activity';
import { AgentsScreen } from './screens/agents';
import { DirectoriesScreen } from './screens/directories';
import { GroupsScreen } from './screens/groups';
import { InboxScreen } from './screens/inbox';
import { ProjectsScreen } from './screens/projects';
import { SessionsScreen } from './screens/sessions';
import { SettingsScreen } from './screens/settings';

export interface Destination {
  readonly path: string;
  readonly name: string;
  readonly icon: LucideIcon;
  readonly key: KeyId;
  readonly screen: ComponentType;
}

export const DESTINATIONS: readonly Destination[] = [
  { path: '/', name: 'Inbox', icon: Inbox, key: 'go_inbox', screen: InboxScreen },
  { path: '/sessions', name: 'Sessions', icon: SquareTerminal, key: 'go_sessions', screen: SessionsScreen },
  { path: '/projects', name: 'Projects', icon: FolderKanban, key: 'go_projects', screen: ProjectsScreen },
  { path: '/groups', name: 'Groups', icon: ListChecks, key: 'go_groups', screen: GroupsScreen },
  { path: '/directories', name: 'Directories', icon: FolderLock, key: 'go_directories', screen: DirectoriesScreen },
  { path: '/activity', name: 'Activity', icon: Activity, key: 'go_activity', screen: ActivityScreen },
  { path: '/agents', name: 'Agents', icon: Bot, key: 'go_agents', screen: AgentsScreen },
  { path: '/settings', name: 'Settings', icon: Settings, key: 'go_settings', screen: SettingsScreen },
];
