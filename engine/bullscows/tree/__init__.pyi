from .codec import CodecError, decode, digits_per_guess, encode, stored_nodes
from .export import FORMATS
from .files import TreeFile, TreeFileError, TreeRecord, read_tree, write_tree
from .folder import UnknownTreeError, default_folder, tree_path
from .markup import html_table
from .nodes import Candidates, Node, Nodes
from .strategy_tree import NoSuchNodeError, StrategyTree, TreeError, special_guess
from .verifier import Verification, verify

__all__ = [
    "FORMATS",
    "Candidates",
    "CodecError",
    "NoSuchNodeError",
    "Node",
    "Nodes",
    "StrategyTree",
    "TreeError",
    "TreeFile",
    "TreeFileError",
    "TreeRecord",
    "UnknownTreeError",
    "Verification",
    "decode",
    "default_folder",
    "digits_per_guess",
    "encode",
    "html_table",
    "read_tree",
    "special_guess",
    "stored_nodes",
    "tree_path",
    "verify",
    "write_tree",
]
