/** Where the settings of a project stand. */
export const SETTINGS = '/projects/{projectId}/settings';
