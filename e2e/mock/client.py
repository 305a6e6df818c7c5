"""Drives the directory's own client against the address in DSHM_API and prints what it got as JSON."""

import json

from dshmarketplace import Client, InstallError

client = Client()


def plan(name):
    try:
        return client.resolve(name).command
    except InstallError as error:
        return error.code


def pages(limit):
    names, page = [], 1
    while found := client.search(limit=limit, page=page).results:
        names += [plugin.full_name for plugin in found]
        page += 1
    return names


names = [plugin.full_name for plugin in client.search(limit=96)]
print(
    json.dumps(
        {
            "total": client.search(limit=1).total,
            "search": [plugin.full_name for plugin in client.search("HARBOR")],
            "byPackage": [plugin.full_name for plugin in client.search("@brasswork/dice")],
            "get": {name: client.get(name).full_name for name in names},
            "plans": {name: plan(name) for name in names},
            "dryRun": client.install("brasswork/workshop#packages/dice", profile="work", dry_run=True).plan.argv,
            "pagesOf20": pages(20),
            "pagesOf24": pages(24),
        }
    )
)
