// The eight destinations of the rail: path, name, picture, screen. The frame and the palette read the one list.

import { Activity, Bot, FolderKanban, FolderLock, Inbox, ListChecks, type LucideIcon, Settings, SquareTerminal } from 'lucide-react';
import type { ComponentType } from 'react';
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
  readonly screen: ComponentType;
}

export const DESTINATIONS: readonly Destination[] = [
  { path: '/', name: 'Inbox', icon: Inbox, screen: InboxScreen },
  { path: '/sessions', name: 'Sessions', icon: SquareTerminal, screen: SessionsScreen },
  { path: '/projects', name: 'Projects', icon: FolderKanban, screen: ProjectsScreen },
  { path: '/groups', name: 'Groups', icon: ListChecks, screen: GroupsScreen },
  { path: '/directories', name: 'Directories', icon: FolderLock, screen: DirectoriesScreen },
  { path: '/activity', name: 'Activity', icon: Activity, screen: ActivityScreen },
  { path: '/agents', name: 'Agents', icon: Bot, screen: AgentsScreen },
  { path: '/settings', name: 'Settings', icon: Settings, screen: SettingsScreen },
];
