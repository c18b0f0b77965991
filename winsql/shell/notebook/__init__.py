"""winsql in notebooks: `%load_ext winsql` brings the magics %winsql and %%winsql."""
